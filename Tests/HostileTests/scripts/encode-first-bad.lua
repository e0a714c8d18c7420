-- expect: error
-- Much to encode, and what can't be kept at its end: it is read twice.
local big = {}
for i = 1, 50000 do big["k" .. i] = { i } end
big.z = print
state.t = big
