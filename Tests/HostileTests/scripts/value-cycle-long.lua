-- expect: error
-- A cycle of a thousand tables.
local first = {} local t = first for i = 1, 1000 do t.n = {} t = t.n end t.n = first state.t = first
