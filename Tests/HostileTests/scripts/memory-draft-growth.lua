-- expect: memory or timeout
-- Numbers in the state, which the host keeps and Lua doesn't.
for i = 1, math.huge do state.t[i] = i end
