-- expect: error
-- An error of a megabyte.
error(("x"):rep(1 << 20))
