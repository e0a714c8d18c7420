-- expect: survives
-- All that the module has is broken: it breaks only the module.
for k, v in pairs(string) do string[k] = function() error("broken") end end for k in pairs(_G) do if k ~= "_G" then _G[k] = nil end end
