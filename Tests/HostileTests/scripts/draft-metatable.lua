-- expect: error
-- A metatable for the state.
setmetatable(state, {})
