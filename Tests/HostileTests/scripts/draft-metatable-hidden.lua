-- expect: refused
-- The metatable of the state.
state.held = getmetatable(state) == nil and getmetatable(state.t) == nil
