-- expect: timeout, in: observer
-- Prints forever.
while true do print("x") end
