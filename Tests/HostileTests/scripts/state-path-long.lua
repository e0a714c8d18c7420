-- expect: error, in: observer
-- A path of a megabyte.
self.state(("a."):rep(100000))
