-- expect: memory
-- A long text turned round and kept.
local t, s = {}, "" while true do s = (s .. #t):rep(2) t[#t + 1] = s:reverse() end
