-- expect: refused
-- A thousand folders.
local ok, e = pcall(require, ("a."):rep(1000) .. "a") state.held = not ok and not tostring(e):find("root:")
