-- expect: survives, in: observer
-- Another module’s state may be looked at.
assert(self.state("healthy").n >= 0)
