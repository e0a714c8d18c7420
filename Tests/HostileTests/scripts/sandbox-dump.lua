-- expect: refused
-- No bytecode.
state.held = string.dump == nil and ("").dump == nil
