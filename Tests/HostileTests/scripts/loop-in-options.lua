-- expect: timeout, in: options
while true do end
