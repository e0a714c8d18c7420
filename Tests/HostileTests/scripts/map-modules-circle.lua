-- expect: error, in: module-mapper
return { moon.replace("go"), moon.start("nobody") }
