-- expect: error
-- Back references with stars.
return ("a"):rep(2000):find("(.-)(.-)%1%2(.-)%3b")
