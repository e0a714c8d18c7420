-- expect: error, in: load
-- An action while the file is run.
local m = require("moonwire") m.module(5)
