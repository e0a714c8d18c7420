-- expect: survives
-- A proxy is stored raw: its metamethods are not asked.
state.t = setmetatable({}, {__index = function() while true do end end, __pairs = function() while true do end end, __len = function() while true do end end})
