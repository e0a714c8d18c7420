-- expect: timeout
-- Matches nothing for ever.
while true do for _ in ("aaaa"):gmatch("b*") do end end
