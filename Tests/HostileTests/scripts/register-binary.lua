-- expect: error, in: load
-- Names that are no text.
return require("moonwire").module { reducers = {["\xff"] = function() end} }
