-- expect: error or survives, in: effect
-- Starts itself again without end.
self.dispatch("go")
