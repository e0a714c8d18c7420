-- expect: memory or error, in: presenter
local text = string.rep("x", 100000)
for i = 1, 1000 do screen.props = { text, text, text } screen.title = text .. i end
screen.body = { text }
