-- expect: error, in: effect
coroutine.yield({ "sleep", 60 })
