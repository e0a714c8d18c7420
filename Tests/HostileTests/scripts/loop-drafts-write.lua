-- expect: timeout
-- Writes the state for ever.
while true do state.n = state.n + 1 end
