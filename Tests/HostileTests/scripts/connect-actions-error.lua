-- expect: error, in: connected-actions
error({})
