-- expect: error
-- The same, hidden between other operators.
assert(load("local a return a" .. (" or not a"):rep(25000)))
