-- expect: timeout
-- A C function as the body of coroutines.
while true do coroutine.resume(coroutine.create(tostring), 1) end
