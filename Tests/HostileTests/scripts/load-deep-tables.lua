-- expect: error
-- Tables in tables.
assert(load("return " .. ("{"):rep(100000)))
