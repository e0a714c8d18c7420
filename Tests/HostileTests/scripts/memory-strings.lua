-- expect: memory
-- Many strings.
local t = {} for i = 1, math.huge do t[i] = ("x"):rep(1000) .. i end
