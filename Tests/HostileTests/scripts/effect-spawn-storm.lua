-- expect: error or memory, in: effect
-- More tasks than the limit.
while true do moon.spawn(function() moon.sleep(60) end) end
