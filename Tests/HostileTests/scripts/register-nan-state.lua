-- expect: error, in: load
-- A number that no state can hold, before anything has run.
return require("moonwire").module { state = { deep = { 1, { x = 0/0 } } } }
