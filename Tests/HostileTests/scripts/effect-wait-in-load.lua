-- expect: error, in: effect
load(function() moon.sleep(0) return nil end)
