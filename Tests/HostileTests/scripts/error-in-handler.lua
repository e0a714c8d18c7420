-- expect: error
-- A handler that fails.
local ok = xpcall(error, function() error("again") end) assert(not ok) error("done")
