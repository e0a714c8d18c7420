-- expect: error
-- The same in gmatch.
for _ in ("a"):rep(1000):gmatch(".-.-.-.-b") do end
