-- expect: error, in: navigation-mapper
self.dispatch("go")
return "/nowhere"
