-- expect: refused
-- Bytes that are no name.
local ok, e = pcall(require, "\xff\xfe") state.held = not ok and not tostring(e):find("root:")
