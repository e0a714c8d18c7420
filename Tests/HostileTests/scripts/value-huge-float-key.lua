-- expect: error
-- A float too large to be an integer.
state.t[2^70] = 1
