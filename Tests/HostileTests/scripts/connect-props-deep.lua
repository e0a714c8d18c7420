-- expect: error, in: connected-props
local all = {} for _ = 1, 100000 do all = { all } end return { all = all }
