-- expect: timeout, in: observer
-- Prints for ever.
while true do print("x") end
