-- expect: timeout
-- Counts characters for ever.
local s = ("ä"):rep(500000) while true do utf8.len(s) end
