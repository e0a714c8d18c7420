-- expect: error, in: effect
moon.when("hostile.n", function(n) error({}) end)
