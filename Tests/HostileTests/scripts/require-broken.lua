-- expect: error
-- A library that fails stays failed.
pcall(require, "broken") require("broken")
