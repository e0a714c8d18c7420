-- expect: timeout, in: will
while true do end
