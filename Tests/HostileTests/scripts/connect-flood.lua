-- expect: memory, in: load
local function none() return {} end
local all = {}
for i = 1, 100000 do all[i] = { from = { "hostile" }, props = none } end
return { connect = all }
