-- expect: error, in: effect
assert(load(function() moon.sleep(0) return nil end))
