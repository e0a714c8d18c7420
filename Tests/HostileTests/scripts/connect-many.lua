-- expect: error, in: load
local function none() return {} end
local all = {}
for i = 1, 5000 do all[i] = { from = { "hostile" }, props = none } end
return { connect = all }
