-- expect: error, in: observer
-- Another module’s state.
self.state("healthy").n = 100
