-- expect: survives, in: service
-- rests
-- It is still running when the host closes.
moon.processes.run { "sh", "-c", "echo $$ >> data/ids; trap '' TERM; while :; do sleep 1; done" }
