-- expect: refused
-- No name.
local ok, e = pcall(require, "") state.held = not ok and not tostring(e):find("root:")
