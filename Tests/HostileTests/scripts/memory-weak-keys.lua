-- expect: memory
-- Ephemerons in chains, if a mode made any.
local mt = {}
local w, keep = setmetatable({}, mt), {}
mt.__mode = "k"
while true do local k = {} w[k] = {k} keep[#keep + 1] = k end
