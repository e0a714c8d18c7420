-- expect: error
-- A reducer that returns a function.
return {f = function() end}
