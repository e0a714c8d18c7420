-- expect: memory
-- A long separator.
return #("x"):rep(1 << 20, ("y"):rep(1 << 10))
