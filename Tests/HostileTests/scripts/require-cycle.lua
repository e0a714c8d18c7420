-- expect: error
-- Two libraries that need each other.
require("ping")
