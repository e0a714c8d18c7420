-- expect: error, in: navigation-mapper
local all = {}
for i = 1, 300 do all[i] = moon.nav.push { title = "x" } end
return all
