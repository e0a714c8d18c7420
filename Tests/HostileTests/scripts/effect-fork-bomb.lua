-- expect: error or memory or timeout, in: effect
local function fork() moon.spawn(fork) moon.spawn(fork) moon.sleep(60) end
fork()
