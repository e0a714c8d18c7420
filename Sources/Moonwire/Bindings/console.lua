-- The environment of text typed at the prompt; `moon` and the host's functions come from before.
local native, host = ...
local call, setmetatable = native.call, setmetatable

native.console(setmetatable({
  moon = moon,

  --- A look at the state, or at the part of it under a path.
  state = function(path)
    return call(host.state, path)
  end,

  --- Dispatches an action and returns when it and all that followed are done.
  dispatch = function(action, payload)
    call(host.dispatch, action, payload)
  end,
}, { __index = _G }))

return moon
