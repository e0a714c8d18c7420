-- expect: refused
-- A name of a megabyte.
local ok, e = pcall(require, ("a"):rep(1 << 20)) state.held = not ok and not tostring(e):find("root:")
