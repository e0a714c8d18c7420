-- expect: memory
-- Ephemerons in chains.
local w, keep = setmetatable({}, {__mode = "k"}), {} while true do local k = {} w[k] = {k} keep[#keep + 1] = k end
