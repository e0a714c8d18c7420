-- expect: error, in: observer
-- An action that leads to itself.
self.dispatch("go2")
