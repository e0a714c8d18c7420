-- expect: error
-- A part of the state as a key of it.
state.t[state.list] = 1
