-- expect: error
-- A pattern whose time grows with the fifth power.
return ("a"):rep(2000):find(".-.-.-.-b")
