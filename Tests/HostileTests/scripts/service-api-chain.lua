-- expect: error, in: service
-- Requests that ask for each other without a rest.
local function again(depth)
  self.handle { request = function() again(depth + 1) end, success = "go2" }
end
again(1)
