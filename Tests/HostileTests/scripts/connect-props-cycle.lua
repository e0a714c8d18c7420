-- expect: error, in: connected-props
local all = { from = "here" } all.all = all return all
