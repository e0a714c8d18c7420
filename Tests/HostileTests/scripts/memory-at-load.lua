-- expect: memory, in: load
-- Memory used while the file is run.
local t = {} while true do t[#t + 1] = {} end
