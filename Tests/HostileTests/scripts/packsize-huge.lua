-- expect: error
-- A size beyond all limits.
return string.packsize(("c2000000000"):rep(5))
