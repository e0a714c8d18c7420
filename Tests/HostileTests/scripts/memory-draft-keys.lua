-- expect: memory or timeout
-- Long names in the state.
for i = 1, math.huge do state.t[("k"):rep(10000) .. i] = 1 end
