-- expect: timeout, in: presenter
while true do end
