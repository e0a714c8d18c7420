-- expect: survives
-- Infinity is a number.
state.n = math.huge state.n = -math.huge state.n = 1
