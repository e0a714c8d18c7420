-- expect: error
-- A dispatch in a reducer.
require("moonwire") return dispatch("x")
