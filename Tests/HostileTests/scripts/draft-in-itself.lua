-- expect: error
-- The state in the state.
state.t.a = state error(state.t.a.t and "held" or "copied")
