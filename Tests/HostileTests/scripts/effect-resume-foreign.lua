-- expect: error, in: effect
-- Resumes the coroutine of another task while that task waits.
local own = coroutine.running()
moon.spawn(function() error(select(2, coroutine.resume(own, "forged"))) end)
moon.sleep(0.01)
