-- expect: timeout or memory
-- The same forever.
local big = {}
for i = 1, 20000 do big["k" .. i] = { i } end
big.z = print
while true do pcall(function() state.t = big end) end
