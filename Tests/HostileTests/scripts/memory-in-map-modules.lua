-- expect: memory, in: module-mapper
local hoard = {}
for i = 1, 1e9 do hoard[i] = { i } end
