-- expect: timeout, in: effect
-- In a coroutine of its own, behind a wait that has come through it.
coroutine.wrap(function() moon.sleep(0.001) while true do end end)()
