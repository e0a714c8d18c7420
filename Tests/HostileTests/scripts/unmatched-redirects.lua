-- expect: error, in: unmatched
return moon.redirect(route.url .. "/x")
