-- expect: memory
-- A repetition behind pcall.
while true do pcall(string.rep, "x", 1 << 33) end
