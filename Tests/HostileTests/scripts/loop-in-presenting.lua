-- expect: timeout, in: routing-presenter
while true do end
