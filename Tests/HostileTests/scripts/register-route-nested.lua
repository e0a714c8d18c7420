-- expect: error or survives, in: load
-- Groups in groups, whose sets would be counted one by one.
local r = {} for i = 1, 3000 do r["/a" .. i .. ("(/b"):rep(12) .. (")"):rep(12)] = function() end end return { routes = r }
