-- expect: refused
-- A name with a zero.
local ok, e = pcall(require, "selfish\0.lua") state.held = not ok and not tostring(e):find("root:")
