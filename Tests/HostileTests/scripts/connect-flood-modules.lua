-- expect: memory, in: load
local from = {}
for i = 1, 100000 do from[i] = "nobody" .. i end
return { connect = { from = from, props = function() return {} end } }
