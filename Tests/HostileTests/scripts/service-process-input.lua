-- expect: refused, in: service
-- A program that doesn't read what it is given, and arguments that are too long.
expect("timed_out", moon.processes.run,
  { "sleep", "1000", input = ("x"):rep(200 << 10), timeout = 0.3 })
expect("arguments_too_long failed", moon.processes.run, { "sh", "-c", ("x"):rep(200 << 10) })
hold()
