-- expect: timeout
-- Catches the end and goes on.
while true do pcall(function() while true do end end) end
