-- expect: memory
-- Copies of a long text.
local t, s = {}, ("x"):rep(1 << 20) while true do t[#t + 1] = s:upper() .. #t end
