-- expect: error, in: observer
-- An action that is none.
self.dispatch({ payload = 1 })
