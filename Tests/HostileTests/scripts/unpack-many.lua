-- expect: timeout
-- Long lists forever.
while true do pcall(table.unpack, {}, 1, 100000) end
