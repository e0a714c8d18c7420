-- expect: error
-- More elements than may cross.
local t, u = {}, {} for i = 1, 1000 do u[i] = true end for i = 1, 600 do t[i] = u end state.t = t
