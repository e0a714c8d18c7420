-- expect: memory
-- A table that grows behind pcall, forever.
local keep = {} while true do pcall(function() while true do keep[#keep + 1] = {} end end) end
