-- expect: refused
-- A name with backslashes.
local ok, e = pcall(require, "lib\\selfish") state.held = not ok and not tostring(e):find("root:")
