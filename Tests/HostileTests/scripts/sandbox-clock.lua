-- expect: error
-- A clock in a reducer.
return os.time()
