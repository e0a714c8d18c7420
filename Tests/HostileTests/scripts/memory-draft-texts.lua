-- expect: memory
-- Long texts in the state.
for i = 1, math.huge do state.t[i] = ("x"):rep(100000) .. i end
