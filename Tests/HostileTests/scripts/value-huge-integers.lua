-- expect: survives
-- The largest integers as keys.
state.t[math.maxinteger] = 1 state.t[math.mininteger] = 2
