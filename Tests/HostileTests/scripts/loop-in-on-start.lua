-- expect: timeout, in: on-start
-- A loop in on_start.
while true do end
