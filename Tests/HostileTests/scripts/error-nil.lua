-- expect: error
-- An error that is nothing.
error(nil)
