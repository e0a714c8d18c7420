-- expect: error, in: handler
return moon.redirect("/hostile?again=1&" .. route.url:sub(1, 16000))
