-- expect: timeout
-- Makes coroutines for ever.
while true do coroutine.wrap(function() coroutine.yield() end)() end
