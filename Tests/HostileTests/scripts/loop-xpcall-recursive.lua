-- expect: timeout
-- A handler that fails forever.
local function h() xpcall(error, h) while true do end end xpcall(error, h)
