-- expect: timeout, in: navigation-mapper
while true do end
