-- expect: survives
-- Raw access.
rawset(state, "n", 5) assert(rawget(state, "n") == 5 and rawlen(state.list) == 0)
