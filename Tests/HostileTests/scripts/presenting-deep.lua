-- expect: error, in: routing-presenter
local node = { title = "x" }
for _ = 1, 100 do node = { title = "x", presented = node } end
return moon.nav.present(node)
