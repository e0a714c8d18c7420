-- expect: timeout, in: view
while true do end
