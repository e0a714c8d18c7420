-- expect: error, in: effect
-- Closes a waiting coroutine that another task has resumed.
local inner = coroutine.create(function() moon.sleep(0.01) end)
moon.spawn(function() coroutine.resume(inner) end)
moon.spawn(function() coroutine.close(inner) end)
