-- expect: timeout, in: effect
moon.sleep(0.001)
while true do pcall(function() while true do end end) end
