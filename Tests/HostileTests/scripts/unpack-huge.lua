-- expect: error
-- All integers.
return table.unpack({}, 1, math.maxinteger)
