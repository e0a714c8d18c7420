-- expect: memory
-- One byte becomes a million.
return #(("x"):rep(1000000):gsub("x", ("y"):rep(1000000)))
