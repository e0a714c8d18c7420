-- expect: error
-- More locals than there may be.
assert(load(("local a = 1 "):rep(300)))
