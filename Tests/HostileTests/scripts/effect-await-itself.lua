-- expect: error, in: effect
local task
task = moon.spawn(function() task:await() end)
task:await()
