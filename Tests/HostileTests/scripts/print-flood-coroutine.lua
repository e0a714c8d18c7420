-- expect: timeout, in: observer
-- Prints forever in coroutines.
while true do coroutine.wrap(print)("x") end
