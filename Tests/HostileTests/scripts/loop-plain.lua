-- expect: timeout
-- The plainest loop.
while true do end
