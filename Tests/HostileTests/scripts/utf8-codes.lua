-- expect: timeout
-- Walks characters forever.
local s = ("ä"):rep(1000) while true do for _ in utf8.codes(s) do end end
