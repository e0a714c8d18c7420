-- expect: error, in: did
for i = 1, 100 do self.route("/hostile?" .. i .. "=1") end
