-- expect: error or memory, in: load
-- A module with a hundred thousand reducers.
local r = {} for i = 1, 100000 do r["r" .. i] = true end return require("moonwire").module { reducers = r }
