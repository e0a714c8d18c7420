-- expect: timeout, in: route
while true do end
