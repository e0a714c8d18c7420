-- expect: error, in: effect
while true do self.dispatch("go2") end
