-- expect: error, in: routing-presenter
local tabs = {}
for i = 1, 65 do tabs[i] = { title = "x" } end
return moon.nav.set(moon.nav.tabs(tabs))
