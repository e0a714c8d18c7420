-- expect: timeout, in: middleware
-- A loop in a middleware.
while true do end
