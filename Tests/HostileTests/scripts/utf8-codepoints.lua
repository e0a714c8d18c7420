-- expect: error
-- All characters of a long text at once.
return select("#", utf8.codepoint(("x"):rep(4 << 20), 1, -1))
