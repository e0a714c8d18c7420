-- expect: error
-- More captures than there may be.
return ("a"):rep(50):find(("(a)"):rep(40))
