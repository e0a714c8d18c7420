-- expect: refused
-- An absolute path.
local ok, e = pcall(require, "/etc/passwd") state.held = not ok and not tostring(e):find("root:")
