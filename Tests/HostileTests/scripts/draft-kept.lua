-- expect: error, in: twice
-- A draft of an earlier call.
if kept then kept.x = 1 end kept = state.t state.n = state.n + 1
