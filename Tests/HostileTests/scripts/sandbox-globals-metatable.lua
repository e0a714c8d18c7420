-- expect: survives
-- A metatable for the globals.
setmetatable(_G, {__index = function(_, k) return k end, __newindex = function() end}) assert(anything == "anything") setmetatable(_G, nil)
