-- expect: error, in: connected-props
return { call = print }
