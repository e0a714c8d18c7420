-- expect: timeout, in: effect
-- A loop in a coroutine, after a wait that passed through the coroutine.
coroutine.wrap(function() moon.sleep(0.001) while true do end end)()
