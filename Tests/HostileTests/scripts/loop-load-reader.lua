-- expect: error
-- A reader function, which load calls in C.
load(function() return "x " end)
