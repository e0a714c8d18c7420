-- expect: error
-- An __index that is the table itself.
local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x
