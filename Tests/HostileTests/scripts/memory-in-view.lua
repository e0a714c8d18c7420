-- expect: memory, in: view
local hoard = {}
for i = 1, 1e9 do hoard[i] = { i } end
