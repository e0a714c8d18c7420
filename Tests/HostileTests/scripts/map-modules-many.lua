-- expect: error, in: module-mapper
local all = {}
for i = 1, 20000 do all[i] = moon.start("healthy") end
return all
