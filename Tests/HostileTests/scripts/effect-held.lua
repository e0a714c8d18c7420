-- expect: memory, in: effect
-- Memory of a waiting task counts towards the quota.
local held = {}
for i = 1, 1000 do held[i] = ("x"):rep(100000) .. i moon.sleep(0) end
