-- expect: error
-- Frontiers with stars.
return ("a "):rep(600):find("%f[%a].-%f[%a].-%f[%a].-%f[%z]x")
