-- expect: error
-- Three hundred libraries, each needing the next.
require("deep1")
