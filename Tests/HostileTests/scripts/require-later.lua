-- expect: error
-- A library under a name that no file names.
require("se" .. "lf" .. "ish")
