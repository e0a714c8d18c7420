-- expect: error
-- A width of a million.
return ("%1000000d"):format(1)
