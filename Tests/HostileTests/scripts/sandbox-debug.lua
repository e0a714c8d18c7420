-- expect: refused
-- No debug library.
state.held = debug == nil and not pcall(require, "debug")
