-- expect: error, in: effect
local view = self.state("hostile")
moon.sleep(0)
return view.n
