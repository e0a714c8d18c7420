-- expect: memory
-- A reducer that returns one text many times.
local s, t = ("x"):rep(1 << 20), {} for i = 1, 1000 do t[i] = s end return t
