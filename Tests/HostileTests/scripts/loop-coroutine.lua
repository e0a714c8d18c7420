-- expect: timeout
-- In a coroutine, where a hook of the main thread would not run.
coroutine.wrap(function() while true do end end)()
