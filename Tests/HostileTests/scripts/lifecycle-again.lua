-- expect: error, in: lifecycle
self.dispatch("nav/push", { screen = "/hostile" })
