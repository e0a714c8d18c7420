-- expect: refused
-- Its own file.
local ok, e = pcall(require, "hostile") state.held = not ok and not tostring(e):find("root:")
