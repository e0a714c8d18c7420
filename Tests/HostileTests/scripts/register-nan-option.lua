-- expect: error, in: load
-- Numbers that compare with nothing, where numbers are sorted.
return { presenters = { { priority = 0/0, run = function() end } }, version = -(0/0) }
