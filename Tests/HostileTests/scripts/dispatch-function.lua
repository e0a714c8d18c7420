-- expect: error, in: observer
-- A payload that can’t be kept.
self.dispatch("go2", print)
