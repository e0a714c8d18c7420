-- expect: timeout
-- Long lists for ever.
while true do pcall(table.unpack, {}, 1, 100000) end
