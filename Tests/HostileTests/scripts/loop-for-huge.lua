-- expect: timeout
-- A count that never ends.
for i = 1, math.maxinteger do end
