-- expect: timeout, in: handler
while true do end
