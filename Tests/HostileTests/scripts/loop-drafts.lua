-- expect: timeout
-- Reads the state forever.
while true do local n = state.n end
