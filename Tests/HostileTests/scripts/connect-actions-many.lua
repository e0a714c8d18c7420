-- expect: memory or error or survives, in: connected-actions
local all = {}
for i = 1, 100000 do all["go" .. i] = { type = "nobody/go", payload = { i } } end
return all
