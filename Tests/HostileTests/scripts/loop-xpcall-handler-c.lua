-- expect: timeout
-- A C function as the handler.
while true do xpcall(function() while true do end end, tostring) end
