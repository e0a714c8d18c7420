-- expect: timeout
-- Slow patterns in coroutines.
while true do coroutine.resume(coroutine.create(string.find), ("a"):rep(3000), ".-.-.-.-b") end
