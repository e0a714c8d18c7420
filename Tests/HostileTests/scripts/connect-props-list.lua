-- expect: error, in: connected-props
return { "no", "names" }
