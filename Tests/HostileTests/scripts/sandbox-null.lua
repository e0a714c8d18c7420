-- expect: refused
-- Nothing can be had from null.
state.held = getmetatable(require("moonwire").null) == nil and not pcall(function() return require("moonwire").null.x end) and not tostring(require("moonwire").null):find("0x")
