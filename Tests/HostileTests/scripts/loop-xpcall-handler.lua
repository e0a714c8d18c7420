-- expect: timeout
-- A handler that loops.
xpcall(error, function() while true do end end)
