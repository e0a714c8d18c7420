-- expect: timeout
-- Loads texts forever.
local s = ("x = 1 "):rep(1000) while true do load(s) end
