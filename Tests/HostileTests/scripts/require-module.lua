-- expect: refused
-- Another module’s file.
local ok, e = pcall(require, "healthy") state.held = not ok and not tostring(e):find("root:")
