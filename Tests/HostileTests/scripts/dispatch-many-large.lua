-- expect: memory or error, in: observer
-- Large payloads, again and again.
local s = ("x"):rep(1 << 17) for i = 1, 20000 do self.dispatch("go2", {text = s .. i}) end
