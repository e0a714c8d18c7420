-- expect: error, in: load
-- A module that holds itself.
local m = {} m.state = m return require("moonwire").module(m)
