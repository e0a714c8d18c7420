-- expect: error, in: effect
table.sort({ 3, 1, 2 }, function(a, b) moon.sleep(0) return a < b end)
