-- expect: survives
-- A part that was taken out.
local t = state.t state.t = nil t.x = 1 state.t = t
