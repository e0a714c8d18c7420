-- expect: error
-- Two kinds of keys.
state.t = {1, 2, x = 3}
