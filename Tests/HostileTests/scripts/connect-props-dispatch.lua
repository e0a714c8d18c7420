-- expect: error, in: connected-props
moon.dispatch("hostile/go")
return {}
