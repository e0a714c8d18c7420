-- expect: error or memory
-- A part of the state twenty thousand times, which takes little until it is written.
state.one = { ("x"):rep(5000) } for i = 1, 20000 do state.list[i] = state.one end
