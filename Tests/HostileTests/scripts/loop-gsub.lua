-- expect: timeout
-- In the function of gsub.
("abc"):gsub(".", function() while true do end end)
