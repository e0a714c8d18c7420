-- expect: error
-- A text too long to be loaded.
load((" "):rep(1 << 20))
