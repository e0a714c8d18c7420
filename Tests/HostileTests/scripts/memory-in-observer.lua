-- expect: memory, in: observer
-- Memory used in an observer.
local t = {} while true do t[#t + 1] = {} end
