-- expect: error, in: observer-of-table
-- An observer that writes what it sees.
new.x = 1
