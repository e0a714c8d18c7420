-- expect: timeout or memory, in: observer
-- No hook sees a function in C.
os.date(("%c"):rep(8000000))
