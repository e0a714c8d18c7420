-- expect: error, in: route
local screen = {}
screen.props = screen
return screen
