-- expect: error
-- Brackets that never close.
return ("("):rep(60000):find("%b()")
