-- expect: error, in: did
self.route(route.url)
