-- expect: timeout, in: connected-actions
while true do end
