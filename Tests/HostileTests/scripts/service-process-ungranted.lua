-- expect: refused, in: service
for _, command in ipairs {
  { "cat", "/etc/passwd" }, { "/bin/sh", "-c", "true" }, { "./sh" }, { "../sh" }, { "sh;ls" },
  { "data/../sh" }, { "sh\0" },
} do expect("not_needed not_granted bad_argument bad_path", moon.processes.run, command) end
expect("not_needed not_granted", moon.env.get, "HOME")
hold()
