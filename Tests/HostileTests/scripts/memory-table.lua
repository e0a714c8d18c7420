-- expect: memory
-- A table that grows.
local t = {} while true do t[#t + 1] = {} end
