-- expect: error, in: view
local body = { type = "TextBlock", text = "x" }
for _ = 1, 40 do body = { type = "Container", items = { body } } end
return { body }
