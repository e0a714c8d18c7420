-- expect: error, in: module-mapper
-- An action of the host's in the place of the module's own.
return moon.replace { type = "nav/did_set", payload = {} }
