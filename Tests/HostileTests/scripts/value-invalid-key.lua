-- expect: error
-- A key that is no text.
state.t["\xc3"] = 1
