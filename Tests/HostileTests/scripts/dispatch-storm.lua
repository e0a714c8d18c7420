-- expect: error, in: observer
-- More actions than may wait.
for i = 1, math.huge do self.dispatch("go2") end
