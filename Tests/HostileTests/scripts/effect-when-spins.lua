-- expect: timeout, in: effect
moon.when("hostile.n", function(n) while true do end end)
