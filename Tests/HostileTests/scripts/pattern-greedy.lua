-- expect: error
-- Stars in a row.
return ("a"):rep(1000):match("a*a*a*a*a*b")
