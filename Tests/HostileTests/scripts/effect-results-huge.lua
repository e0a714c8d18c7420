-- expect: memory or error, in: effect
-- The result is copied to the host.
local t = {}
for i = 1, 1e7 do t[i] = i end
return t
