-- expect: error, in: effect
local text = ("x"):rep(100):gsub("x", function() moon.take("*") end)
