-- expect: error, in: observer
-- Containers in one another, with many screens in each.
local n = { id = "z" } for d = 1, 5 do local l = {} for i = 1, 300 do l[i] = { id = d .. "-" .. i } end l[301] = n n = { id = "t" .. d, tabs = l } end self.dispatch("nav/set", { root = n })
