-- expect: error or memory, in: service
local text = ("x"):rep(1 << 20)
while true do text = moon.hex.encode(text) end
