-- expect: survives, in: service
-- It ends, and leaves children.
moon.processes.run { "sh", "-c", "for i in 1 2 3; do sleep 1000 & echo $! >> data/ids; done" }
