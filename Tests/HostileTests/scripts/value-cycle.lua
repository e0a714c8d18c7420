-- expect: error
-- A table that holds itself.
local t = {} t.t = t state.t = t
