-- expect: error, in: routing-presenter
local all = {}
for i = 1, 20000 do all[i] = moon.nav.push { title = "x" } end
return all
