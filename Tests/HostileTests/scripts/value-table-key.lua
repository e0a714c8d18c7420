-- expect: error
-- A table as a key.
state.t = {[{}] = 1}
