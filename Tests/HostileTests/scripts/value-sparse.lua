-- expect: survives
-- A list with a hole as large as it gets.
state.t = {[1] = 1, [1 << 40] = 2}
