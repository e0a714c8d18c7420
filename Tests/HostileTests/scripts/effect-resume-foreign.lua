-- expect: error, in: effect
-- The coroutine of another task, while that waits.
local own = coroutine.running()
moon.spawn(function() error(select(2, coroutine.resume(own, "forged"))) end)
moon.sleep(0.01)
