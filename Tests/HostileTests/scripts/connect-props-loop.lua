-- expect: timeout, in: connected-props
while true do end
