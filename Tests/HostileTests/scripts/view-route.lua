-- expect: error, in: view
self.route("/hostile")
