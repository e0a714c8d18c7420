-- expect: error, in: route
local props = {}
for _ = 1, 60 do props = { props } end
return { props = props }
