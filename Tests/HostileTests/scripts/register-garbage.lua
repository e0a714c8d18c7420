-- expect: error, in: load
-- A module that is nothing.
return 5
