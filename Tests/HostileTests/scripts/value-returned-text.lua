-- expect: error
-- A reducer that returns no table.
return "text"
