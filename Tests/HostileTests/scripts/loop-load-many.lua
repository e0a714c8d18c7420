-- expect: timeout
-- Loads texts for ever.
local s = ("x = 1 "):rep(1000) while true do load(s) end
