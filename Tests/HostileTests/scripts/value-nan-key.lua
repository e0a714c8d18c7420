-- expect: error
-- Not a number as a key.
state.t[0 / 0] = 1
