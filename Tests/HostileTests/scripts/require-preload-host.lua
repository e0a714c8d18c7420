-- expect: refused
-- A library of the host, replaced by one that would be given the host's functions.
local taken
package.preload["moonwire.tasks"] = function() return function(native) taken = native end end
package.loaded["moonwire.tasks"] = function(native) taken = native end
local moon = require "moonwire"
pcall(function() return moon.sleep end)
state.held = taken == nil and type(moon.sleep) == "function"
