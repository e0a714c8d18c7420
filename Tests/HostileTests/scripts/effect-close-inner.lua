-- expect: error, in: effect
-- A coroutine that waits, from a task that another one has resumed it in.
local inner = coroutine.create(function() moon.sleep(0.01) end)
moon.spawn(function() coroutine.resume(inner) end)
moon.spawn(function() coroutine.close(inner) end)
