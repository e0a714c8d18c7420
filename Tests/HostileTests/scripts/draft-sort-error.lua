-- expect: error
-- A sort of the state that fails half way.
for i = 1, 50 do state.list[i] = 50 - i end table.sort(state.list, function(a, b) if a == 7 then error("stop") end return a < b end)
