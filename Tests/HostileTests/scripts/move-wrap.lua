-- expect: error
-- A move past the last integer.
table.move({1, 2, 3}, 1, 3, math.maxinteger)
