-- expect: memory, in: service
-- All that an endless answer has is kept.
local parts = {}
for part in moon.http.open(base .. "/endless") do parts[#parts + 1] = part end
