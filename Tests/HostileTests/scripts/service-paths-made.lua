-- expect: refused, in: service
-- A program makes links that lead out, which the service doesn't follow.
local run, files = moon.processes.run, moon.files
local made = run { "sh", "-c", [[
  ln -s /etc data/etc; ln -s ../../secret/secret.txt data/s; mkfifo data/pipe; ln -s / data/root
  truncate -s 8G data/large; mkdir -p data/deep; ln -s .. data/deep/up ]] }
assert(made.status == 0, made.errors)
expect("not_granted", files.read, "data/etc/passwd")
expect("not_granted", files.read, "data/root/etc/passwd")
expect("not_granted", files.read, "data/s")
expect("not_granted", files.write, "data/s", "mine")
expect("not_a_file", files.read, "data/pipe")
expect("too_large", files.read, "data/large")
assert(files.read "data/deep/up/a.txt" == "alpha", "it stays inside")
assert(not run({ "sh", "-c", "cat ../secret/secret.txt" }).output:find "mine")
hold()
