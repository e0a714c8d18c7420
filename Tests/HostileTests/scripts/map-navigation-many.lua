-- expect: error, in: navigation-mapper
local all = {}
for i = 1, 20000 do all[i] = "/nowhere" end
return all
