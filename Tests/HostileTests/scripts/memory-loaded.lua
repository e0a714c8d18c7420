-- expect: memory
-- Loaded functions that are kept.
local t = {} while true do t[#t + 1] = load("return " .. #t .. ", '" .. ("x"):rep(500) .. "'") end
