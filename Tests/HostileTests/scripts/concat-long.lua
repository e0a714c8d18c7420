-- expect: memory
-- A hundred long strings.
local s = ("x"):rep(1 << 20) local t = {} for i = 1, 100 do t[i] = s end return #table.concat(t)
