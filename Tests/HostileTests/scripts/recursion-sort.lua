-- expect: error
-- A sort that sorts.
local function f() table.sort({2, 1}, f) return true end f()
