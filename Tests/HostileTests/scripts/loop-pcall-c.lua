-- expect: timeout
-- pcall of C functions only.
while true do pcall(pcall, error) end
