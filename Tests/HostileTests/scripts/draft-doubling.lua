-- expect: error
-- The state doubles itself.
for i = 1, 100 do state.t = {state.t, state.t} end
