-- expect: error, in: connected-actions
return { go = { type = 5 } }
