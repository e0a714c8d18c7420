-- expect: survives, in: effect
-- Answers each action with two.
while true do moon.take("*") self.dispatch("go2") self.dispatch("go2") end
