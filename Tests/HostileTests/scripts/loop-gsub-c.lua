-- expect: timeout
-- gsub with C functions on a long text, for ever.
local s = ("x"):rep(100000) while true do s:gsub(".", string.upper) end
