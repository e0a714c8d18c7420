-- expect: error
-- Brackets in brackets.
assert(load("return " .. ("("):rep(100000) .. "1" .. (")"):rep(100000)))
