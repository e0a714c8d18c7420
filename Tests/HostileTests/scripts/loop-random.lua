-- expect: timeout
-- Random numbers for ever.
while true do math.random(1, 1 << 62) end
