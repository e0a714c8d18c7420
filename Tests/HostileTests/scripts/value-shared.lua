-- expect: error
-- A tree that doubles at each level.
local t = {1} for i = 1, 40 do t = {t, t} end state.t = t
