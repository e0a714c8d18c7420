-- expect: error
-- Functions in functions.
assert(load(("return function() "):rep(15000)))
