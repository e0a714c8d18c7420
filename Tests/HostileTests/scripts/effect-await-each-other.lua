-- expect: survives, in: effect
-- Both wait for ever, and nobody else does.
local a, b
a = moon.spawn(function() b:await() end)
b = moon.spawn(function() a:await() end)
