-- expect: error, in: unmatched
self.route(route.url .. "/x")
