-- expect: error, in: observer
-- A payload larger than may be passed.
self.dispatch("go2", {text = ("x"):rep(1 << 20)})
