-- expect: timeout, in: unmatched
while true do end
