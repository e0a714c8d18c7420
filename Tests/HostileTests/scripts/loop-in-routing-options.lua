-- expect: timeout, in: routing-options
while true do end
