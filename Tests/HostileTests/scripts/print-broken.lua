-- expect: error, in: observer
-- A __tostring that fails.
print(setmetatable({}, {__tostring = function() error("no") end}))
