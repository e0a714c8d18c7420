-- expect: survives
-- A table that changes while it is walked.
for i = 1, 100 do state.t[i] = i end for k in pairs(state.t) do state.t[k] = nil end for k in pairs({1, 2}) do state.t[k + 5] = {} end
