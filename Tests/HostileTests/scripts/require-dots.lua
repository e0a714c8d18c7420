-- expect: refused
-- Nothing but dots.
local ok, e = pcall(require, "...") state.held = not ok and not tostring(e):find("root:")
