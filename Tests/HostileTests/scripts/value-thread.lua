-- expect: error
-- A coroutine.
state.t = {coroutine.create(print)}
