-- expect: refused
-- Loaded text has the same globals.
state.held = load("return _G")() == _G and load("return dofile")() == nil
