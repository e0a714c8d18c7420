-- expect: error
-- A fraction as a key.
state.t = {[1.5] = 1}
