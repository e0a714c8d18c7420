-- expect: error
-- A range that wraps around.
return table.unpack({}, math.mininteger, math.maxinteger)
