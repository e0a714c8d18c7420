-- expect: error
-- A range of all integers.
return table.concat({}, "", 1, math.maxinteger)
