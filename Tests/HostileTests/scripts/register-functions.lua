-- expect: error, in: load
-- Functions where none belong.
return require("moonwire").module { state = function() end, reducers = print }
