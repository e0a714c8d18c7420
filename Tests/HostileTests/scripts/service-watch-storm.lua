-- expect: survives, in: service
-- More changes than anyone reads, by the one who watches.
local changes <close> = moon.files.watch "data"
for i = 1, 300 do moon.files.write("data/f" .. i % 7, tostring(i)) end
changes:next()
