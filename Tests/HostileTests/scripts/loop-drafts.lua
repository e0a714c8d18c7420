-- expect: timeout
-- Reads the state for ever.
while true do local n = state.n end
