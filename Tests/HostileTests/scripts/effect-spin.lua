-- expect: timeout, in: effect
-- A loop that never waits.
while true do end
