-- expect: timeout or memory, in: observer
-- No hook sees a function in C.
while true do os.date(("%c"):rep(300000)) end
