-- expect: memory, in: effect
-- Waiting doesn't take what it holds off the account.
local held = {}
for i = 1, 1000 do held[i] = ("x"):rep(100000) .. i moon.sleep(0) end
