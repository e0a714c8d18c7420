-- expect: refused, in: service
-- It ignores that it is to end, and so do its children.
local stubborn = "echo $$ >> data/ids; trap '' TERM INT HUP; " ..
  "(trap '' TERM; sh -c 'echo $$ >> data/ids; sleep 1000') & while :; do sleep 1; done"
expect("timed_out", moon.processes.run, { "sh", "-c", stubborn, timeout = 0.3 })
hold()
