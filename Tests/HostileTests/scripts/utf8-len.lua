-- expect: timeout
-- Counts characters forever.
local s = ("ä"):rep(500000) while true do utf8.len(s) end
