-- expect: memory
-- Many characters.
local t = {} while true do t[#t + 1] = utf8.char(0x10ffff):rep(100) .. #t end
