-- expect: error, in: observer
-- News of what never happened.
self.dispatch("nav/did_push", { screen = { id = "x" } })
