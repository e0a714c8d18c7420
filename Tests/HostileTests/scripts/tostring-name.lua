-- expect: survives
-- A __name that is no text, or a long one.
tostring(setmetatable({}, {__name = {}})) tostring(setmetatable({}, {__name = ("n"):rep(100000)}))
