-- expect: error, in: view
self.dispatch("go2")
