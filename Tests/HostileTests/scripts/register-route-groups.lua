-- expect: error, in: load
-- A thousand patterns that stand for 64 each: the table of all routes isn't in the module's quota.
local routes = {}
for i = 1, 1000 do routes["/p" .. i .. "(/a)(/b)(/c)(/d)(/e)(/f)"] = function() end end
return require("moonwire").module { routes = routes }
