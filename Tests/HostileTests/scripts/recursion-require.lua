-- expect: error
-- A library that needs itself.
require("selfish")
