-- expect: survives
-- The longest number.
assert(#("%99.99f"):format(1e308) > 400)
