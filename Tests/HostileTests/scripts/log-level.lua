-- expect: survives, in: observer
-- A level that there isn’t.
require("moonwire").log.info(nil, {}, print)
