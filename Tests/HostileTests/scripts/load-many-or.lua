-- expect: error
-- An expression that the compiler needs long for.
assert(load("local a return a" .. (" or a"):rep(40000)))
