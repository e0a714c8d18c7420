-- expect: timeout, in: observer
-- Prints for ever in coroutines.
while true do coroutine.wrap(print)("x") end
