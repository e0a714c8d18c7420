-- expect: error, in: route
for i = 1, 100000 do self.route("/hostile") end
