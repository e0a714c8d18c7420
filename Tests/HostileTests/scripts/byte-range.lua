-- expect: error
-- All bytes of a long text at once.
return select("#", ("x"):rep(4 << 20):byte(1, -1))
