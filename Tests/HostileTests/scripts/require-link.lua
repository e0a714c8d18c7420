-- expect: refused
-- A link that leads out of the directory.
local ok, e = pcall(require, "outside") state.held = not ok and not tostring(e):find("root:")
