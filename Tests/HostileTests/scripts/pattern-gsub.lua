-- expect: error
-- The same in gsub.
return (("a"):rep(1000):gsub(".-.-.-.-b", ""))
