-- expect: error, in: route
return { id = "\xff\xfe", title = "\xff" }
