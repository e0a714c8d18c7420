-- expect: memory, in: routing-options
local hoard = {}
for i = 1, 1e9 do hoard[i] = { i } end
