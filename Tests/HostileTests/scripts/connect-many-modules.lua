-- expect: error, in: load
local from = {}
for i = 1, 5000 do from[i] = "nobody" .. i end
return { connect = { from = from, props = function() return {} end } }
