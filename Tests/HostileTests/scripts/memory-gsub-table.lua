-- expect: memory
-- A table gives long replacements.
return #(("x"):rep(100000):gsub("x", {x = ("y"):rep(100000)}))
