-- expect: memory
-- A long separator.
local t = {} for i = 1, 1000 do t[i] = "" end return #table.concat(t, ("x"):rep(1 << 20))
