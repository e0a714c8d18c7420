-- expect: survives, in: route
-- Metatables have no say in what leaves a module.
return setmetatable({ title = "t" }, { __index = function() while true do end end,
  __pairs = function() while true do end end })
