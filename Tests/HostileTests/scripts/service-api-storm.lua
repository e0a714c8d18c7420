-- expect: survives, in: service
for i = 1, 2000 do
  moon.spawn(function()
    self.handle {
      request = function() error { code = i, reason = setmetatable({}, { __tostring = error }) } end,
      loading = "go2", failure = "go2",
    }
  end)
end
