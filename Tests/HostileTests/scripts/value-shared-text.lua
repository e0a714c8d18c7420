-- expect: memory
-- One long text in many places.
local s, t = ("x"):rep(1 << 20), {} for i = 1, 5000 do t[i] = s end state.t = t
