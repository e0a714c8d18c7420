-- expect: timeout
-- gsub with C functions on a long text, forever.
local s = ("x"):rep(100000) while true do s:gsub(".", string.upper) end
