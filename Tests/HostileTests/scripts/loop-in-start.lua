-- expect: timeout, in: start
-- A loop in start.
while true do end
