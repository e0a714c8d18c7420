-- expect: error, in: observer
-- An action of the host’s.
self.dispatch("host/started", {}) self.dispatch("host/nothing", {})
