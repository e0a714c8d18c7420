-- expect: refused
-- A mode does not bring bytecode back.
state.held = load("\27Lua", "x", "b") == nil and load("\27Lua", "x", "bt") == nil
