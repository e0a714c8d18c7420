-- expect: refused
-- A path upwards.
local ok, e = pcall(require, "../outside") state.held = not ok and not tostring(e):find("root:")
