-- expect: survives
-- Nor are many small tables.
for i = 1, 300000 do local t = {i} end
