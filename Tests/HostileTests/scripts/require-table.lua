-- expect: refused
-- No name but a table.
local ok, e = pcall(require, {}) state.held = not ok and not tostring(e):find("root:")
