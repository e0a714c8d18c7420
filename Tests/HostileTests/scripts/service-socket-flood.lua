-- expect: survives, in: service
-- rests
-- Answers that nobody reads.
local socket = moon.http.websocket((base:gsub("http", "ws")) .. "/socket")
for i = 1, 200 do socket:send "many" end
