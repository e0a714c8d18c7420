-- expect: error
-- Not a number.
state.n = 0 / 0
