-- expect: refused
-- No package library.
state.held = package == nil and not pcall(require, "package") and not pcall(require, "io") and not pcall(require, "_G")
