-- expect: survives
-- The library is broken: for the others it is not.
local m = require("moonwire") for k in pairs(m) do m[k] = nil end print = nil
