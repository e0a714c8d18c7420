-- expect: error
-- A long row of ‘..’.
assert(load("return 1" .. (" .. 1"):rep(40000)))
