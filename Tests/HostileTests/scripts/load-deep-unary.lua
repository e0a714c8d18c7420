-- expect: error
-- Signs in a row.
assert(load("return " .. ("-"):rep(100000):gsub("%-", "- ") .. "1"))
