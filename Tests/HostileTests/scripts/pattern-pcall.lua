-- expect: timeout
-- Slow patterns behind pcall, forever.
while true do pcall(string.find, ("a"):rep(3000), ".-.-.-.-b") end
