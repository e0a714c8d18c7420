-- expect: error
-- An error in __close of an error.
local x <close> = setmetatable({}, {__close = function() error("second") end}) error("first")
