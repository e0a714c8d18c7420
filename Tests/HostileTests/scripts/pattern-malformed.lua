-- expect: error
-- A set without an end.
return ("a"):find("[a")
