-- expect: timeout, in: lifecycle
while true do end
