-- expect: error, in: connected-props
error("no props")
