-- expect: timeout, in: load
-- A loop while the file is run.
while true do end
