-- expect: error
-- A function.
state.t = {f = print}
