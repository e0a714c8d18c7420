-- expect: error, in: twice
-- The same in a coroutine.
if co then co() end co = coroutine.wrap(function() local t = state.t coroutine.yield() t.x = 1 end) co() state.n = state.n + 1
