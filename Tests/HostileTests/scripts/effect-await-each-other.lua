-- expect: survives, in: effect
-- Two tasks that wait for each other forever.
local a, b
a = moon.spawn(function() b:await() end)
b = moon.spawn(function() a:await() end)
