-- expect: error
-- A __tostring that answers no text.
return tostring(setmetatable({}, {__tostring = function() return {} end}))
