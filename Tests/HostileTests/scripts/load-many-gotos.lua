-- expect: error
-- A jump to nowhere, often.
assert(load(("goto a "):rep(30000)))
