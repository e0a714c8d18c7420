-- expect: timeout
-- Matches nothing forever.
while true do for _ in ("aaaa"):gmatch("b*") do end end
