-- expect: timeout
-- Random numbers forever.
while true do math.random(1, 1 << 62) end
