-- expect: timeout, in: service
for part in moon.http.open(base .. "/endless") do while true do end end
