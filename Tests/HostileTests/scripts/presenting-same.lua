-- expect: error, in: routing-presenter
return { moon.nav.push(screen), moon.nav.push(screen) }
