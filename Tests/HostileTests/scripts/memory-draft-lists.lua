-- expect: memory
-- Lists of one element each, which take the host more than their bytes.
for i = 1, math.huge do state.t[i] = { { i } } end
