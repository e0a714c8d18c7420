-- expect: error, in: effect
local own = coroutine.running()
moon.spawn(function() coroutine.close(own) end)
moon.sleep(0.01)
