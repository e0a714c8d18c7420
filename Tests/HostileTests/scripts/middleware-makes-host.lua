-- expect: error, in: middleware
-- An action of the host's in the place of the module's own.
return { { type = "host/failed", payload = { module = "healthy" } } }
