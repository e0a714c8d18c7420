-- expect: timeout
-- Makes coroutines forever.
while true do coroutine.wrap(function() coroutine.yield() end)() end
