-- expect: error
-- A move of all integers.
table.move({}, 1, math.maxinteger, 2)
