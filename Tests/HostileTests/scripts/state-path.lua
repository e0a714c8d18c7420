-- expect: error, in: observer
-- A path that is none.
self.state("a[[")
