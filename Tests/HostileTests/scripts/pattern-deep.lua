-- expect: error
-- A pattern too deep.
return ("a"):rep(300):find(("a?"):rep(250))
