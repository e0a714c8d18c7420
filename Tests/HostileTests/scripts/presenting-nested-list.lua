-- expect: error, in: routing-presenter
local list = { moon.nav.push(screen) }
for _ = 1, 100 do list = { list } end
return list
