-- expect: error, in: will
return moon.redirect(route.url .. string.rep("/x", 8000))
