-- expect: timeout
-- Writes the state forever.
while true do state.n = state.n + 1 end
