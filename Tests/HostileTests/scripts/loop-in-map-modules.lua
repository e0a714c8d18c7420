-- expect: timeout, in: module-mapper
while true do end
