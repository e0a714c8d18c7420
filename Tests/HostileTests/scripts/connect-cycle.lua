-- expect: error, in: load
local from = { "hostile" } from[2] = from
return { connect = { from = from, props = function() return {} end } }
