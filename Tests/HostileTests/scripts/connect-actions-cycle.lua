-- expect: error, in: connected-actions
local action = { type = "hostile/go" } action.payload = action return { go = action }
