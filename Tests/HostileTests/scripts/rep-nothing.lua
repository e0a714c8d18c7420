-- expect: survives
-- Nothing, repeated for ever.
assert((""):rep(math.maxinteger) == "")
