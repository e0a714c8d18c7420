-- expect: error, in: route
local body = { type = "TextBlock", text = "x" }
for _ = 1, 60 do body = { type = "Container", items = { body } } end
return { body = { body } }
