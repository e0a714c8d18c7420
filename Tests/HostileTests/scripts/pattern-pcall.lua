-- expect: timeout
-- Slow patterns behind pcall, for ever.
while true do pcall(string.find, ("a"):rep(3000), ".-.-.-.-b") end
