-- expect: memory
-- A repetition that fits nowhere.
return #("x"):rep(1 << 40)
