-- expect: error
-- A repetition whose length is no number.
return #("xx"):rep(math.maxinteger)
