-- expect: error
-- Blocks in blocks.
assert(load(("do "):rep(50000)))
