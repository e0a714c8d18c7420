-- expect: timeout
-- Behind pcall.
pcall(function() while true do end end) while true do end
