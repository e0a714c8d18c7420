-- expect: timeout, in: did
while true do end
