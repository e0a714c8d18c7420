-- expect: survives
-- Parts of the state in other places.
state.t.a = {1} state.list[1] = state.t.a state.t.b = state.list state.t.a = nil
