-- expect: error
-- Captures in a row.
return ("a"):rep(800):find("(.-)(.-)(.-)(.-)b")
