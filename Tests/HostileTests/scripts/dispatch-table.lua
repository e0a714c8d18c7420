-- expect: error, in: observer
-- An action that is none.
self.dispatch({})
