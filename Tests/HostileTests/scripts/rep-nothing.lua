-- expect: survives
-- Nothing, repeated forever.
assert((""):rep(math.maxinteger) == "")
