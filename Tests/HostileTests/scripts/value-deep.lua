-- expect: error
-- A hundred thousand levels.
local t = {} for i = 1, 100000 do t = {t} end state.t = t
