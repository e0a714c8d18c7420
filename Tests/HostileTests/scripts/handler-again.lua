-- expect: error, in: handler
self.route(route.url)
