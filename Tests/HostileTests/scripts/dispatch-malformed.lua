-- expect: error, in: observer
-- A type that is none.
self.dispatch("a b/c d")
