-- The environment of text typed at the prompt. `moon` is made by moonwire.lua, which runs first.
local native, host = ...
local call, setmetatable = native.call, setmetatable

native.console(setmetatable({
  moon = moon,

  --- A read-only view of the whole state, or of the part under a path.
  state = function(path)
    return call(host.state, path)
  end,

  --- Dispatches an action, and returns when it and everything that followed from it are done.
  dispatch = function(action, payload)
    call(host.dispatch, action, payload)
  end,
}, { __index = _G }))

return moon
