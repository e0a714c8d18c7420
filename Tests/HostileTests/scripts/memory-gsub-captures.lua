-- expect: memory
-- A replacement that names its match often.
return #(("x"):rep(1 << 20):gsub(".*", ("%0"):rep(1000)))
