-- expect: error, in: lifecycle
for i = 1, 100000 do self.dispatch("go2") end
