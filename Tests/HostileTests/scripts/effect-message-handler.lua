-- expect: error, in: effect
xpcall(error, function() moon.sleep(60) end, "x")
error("the handler can't wait")
