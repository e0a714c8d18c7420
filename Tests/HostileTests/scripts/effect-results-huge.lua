-- expect: memory or error, in: effect
-- What it returns goes to the host.
local t = {}
for i = 1, 1e7 do t[i] = i end
return t
