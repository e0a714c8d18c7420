-- expect: memory
-- Trees in the state.
local big = {} for i = 1, 1000 do big[i] = ("x"):rep(100) end for i = 1, math.huge do state.t[i] = big end
