-- expect: memory or error, in: connected-props
local text, all = string.rep("x", 100000), {}
for i = 1, 100000 do all["key" .. i] = text .. i end
return all
