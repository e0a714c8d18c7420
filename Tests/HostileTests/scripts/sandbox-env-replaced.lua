-- expect: refused
-- Loaded text with globals of its own.
state.held = not pcall(load("return print(1)", "x", "t", {}))
