import Foundation
import Glibc
import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// `moon.files`, called from effects of a module that may use `data/`.
@Suite(.timeLimit(.minutes(5))) struct FilesServiceTests {
  private func told(
    _ effect: String, _ needs: [String] = ["read:data/", "write:data/"],
    allowed: [String]? = nil, denied: [String] = [], in folder: ScriptFolder? = nil,
    _ set: (inout HostOptions) -> Void = { _ in }
  ) async throws -> [String] {
    let folder = try folder ?? ScriptFolder(["data/a.txt": "alpha", "secret.txt": "secret"])
    let bench = try await EffectBench(
      effect, services: [.files], needs: needs, allowed: allowed, denied: denied, in: folder, set)
    try await bench.start()
    let told = try await bench.finish()
    await bench.host.close()
    return told
  }

  @Test func `files are written, read, listed, renamed and removed`() async throws {
    let effect = """
      local files = moon.files
      tell(files.read("data/a.txt"))
      files.write("data/b.txt", "be")
      files.append("data/b.txt", "ta")
      files.append("data/new.txt", "new")
      tell(files.read "data/b.txt", files.read "data/new.txt")
      files.make_directory("data/x/y/z")
      files.make_directory("data/x/y/z")
      files.rename("data/b.txt", "data/x/c.txt")
      tell(files.exists "data/b.txt", files.exists "data/x/c.txt")
      local names = {}
      for i, entry in ipairs(files.list "data") do
        names[i] = entry.name .. ":" .. entry.kind .. ":" .. tostring(entry.size)
      end
      tell(table.concat(names, " "))
      local info = files.info "data/x/c.txt"
      tell(info.kind, info.size, math.type(info.modified), #info.permissions)
      tell(files.info "data/none", files.exists "data/a.txt/b")
      files.remove("data/x", { recursive = true })
      files.remove("data/a.txt")
      tell(#files.list "data/", files.read("./data//new.txt"))
      """
    #expect(
      try await told(effect) == [
        "alpha", "beta new", "false true",
        "a.txt:file:5 new.txt:file:3 x:directory:nil", "file 4 float 3", "nil false", "1 new",
      ])
  }

  @Test func `a file that can be read can be written back`() async throws {
    let effect = """
      local files = moon.files
      files.write("data/large.txt", ("x"):rep(7 << 20))
      local text = files.read "data/large.txt"
      files.write("data/copy.txt", text)
      tell(files.info("data/copy.txt").size == 7 << 20)
      """
    #expect(try await told(effect) == ["true"])
  }

  @Test(arguments: [
    ("read", #""data/none""#, "not_found"), ("read", #""data""#, "is_directory"),
    ("read", #""data/a.txt/b""#, "not_directory"),
    ("read", #""data/a.txt", { max = 4 }"#, "too_large"),
    ("read", #""data/a.txt", { max = 5 }"#, "done"), ("read", #""""#, "bad_path"),
    ("read", #""data/../secret.txt""#, "bad_path"), ("read", #""data/a\0b""#, "bad_path"),
    ("read", #""data/" .. ("n"):rep(300)"#, "failed"), ("read", "5", "bad_argument"),
    ("read", #""data/\xff""#, "bad_argument"), ("list", #""data/a.txt""#, "not_directory"),
    ("list", #""data/none""#, "not_found"), ("write", #""data/none/x", "x""#, "not_found"),
    ("write", #""data", "x""#, "is_directory"), ("write", #""data/a.txt/x", "x""#, "not_directory"),
    ("append", #""data", "x""#, "is_directory"), ("append", #""data/none/x", "x""#, "not_found"),
    ("remove", #""data/none""#, "not_found"), ("remove", #""data/full""#, "not_empty"),
    ("make_directory", #""data/a.txt""#, "exists"),
    ("make_directory", #""data/a.txt/b""#, "not_directory"),
    ("rename", #""data/none", "data/x""#, "not_found"),
    ("rename", #""data/a.txt", "data/full/b""#, "exists"),
    ("rename", #""data/full", "data/a.txt""#, "exists"),
    ("rename", #""data/a.txt", "data/full/b", { replace = true }"#, "done"),
    ("rename", #""data/a.txt", "data/none/b""#, "not_found"),
    ("rename", #""data/full", "data/full/x""#, "failed"), ("watch", #""data/none""#, "not_found"),
    ("read", #""/""#, "not_needed"), ("remove", #""/""#, "bad_path"),
    ("read", #""secret.txt""#, "not_needed"), ("write", #""secret.txt", "x""#, "not_needed"),
    ("list", #"".""#, "not_needed"), ("read", #""/etc/passwd""#, "not_needed"),
    ("exists", #""/etc/passwd""#, "not_needed"), ("exists", #""/none""#, "not_needed"),
    ("info", #""secret.txt""#, "not_needed"), ("append", #""secret.txt", "x""#, "not_needed"),
    ("remove", #""secret.txt""#, "not_needed"), ("make_directory", #""other/x""#, "not_needed"),
    ("rename", #""data/a.txt", "other""#, "not_needed"),
    ("rename", #""secret.txt", "data/x""#, "not_needed"), ("watch", #"".""#, "not_needed"),
    ("remove", #""data/link""#, "done"), ("write", #""data/link", "x""#, "not_granted"),
    ("read", #""data/link""#, "not_granted"), ("read", #""data/out/secret.txt""#, "not_granted"),
    ("read", #""data/out/none""#, "not_granted"), ("list", #""data/out""#, "not_granted"),
    ("write", #""data/out/new", "x""#, "not_granted"),
    ("append", #""data/link", "x""#, "not_granted"),
    ("make_directory", #""data/out/new""#, "not_granted"), ("watch", #""data/out""#, "not_granted"),
    ("rename", #""data/a.txt", "data/out/x""#, "not_granted"),
    ("remove", #""data/out/secret.txt""#, "not_granted"),
    ("remove", #""data/out", { recursive = true }"#, "done"),
    ("read", #""data/lost""#, "not_granted"), ("exists", #""data/lost""#, "not_granted"),
    ("read", #""data/round/none""#, "not_granted"), ("read", #""data/full/up""#, "not_found"),
    ("read", #""data/dangling""#, "not_found"), ("write", #""data/dangling", "x""#, "not_found"),
    ("append", #""data/dangling", "x""#, "not_found"), ("read", #""data/loop""#, "failed"),
    ("read", #""data/pipe""#, "not_a_file"), ("write", #""data/pipe", "x""#, "not_a_file"),
    ("append", #""data/pipe", "x""#, "not_a_file"), ("list", #""data/pipe""#, "not_directory"),
    ("read", #""data/zero""#, "not_granted"), ("read", #""data/bytes""#, "not_text"),
    ("read", #""data/bytes", { as = "bytes" }"#, "done"), ("exists", #""data/pipe""#, "done"),
  ])
  func `each fault has its code, and harms nothing outside`(
    function: String, arguments: String, code: String
  ) async throws {
    let folder = try ScriptFolder([
      "data/a.txt": "alpha", "data/full/b": "b", "secret.txt": "secret", "other.txt": "",
    ])
    try folder.save("data/bytes", bytes: [0xFF])
    try folder.makeLink("data/link", to: "../secret.txt")
    try folder.makeLink("data/out", to: folder.root)
    try folder.makeLink("data/dangling", to: "nowhere")
    try folder.makeLink("data/loop", to: "loop")
    try folder.makeLink("data/lost", to: "../none/secret.txt")
    try folder.makeLink("data/round", to: "lost/../..")
    try folder.makeLink("data/full/up", to: "../none")
    try folder.makeLink("data/zero", to: "/dev/zero")
    #expect(mkfifo(folder.path("data/pipe"), 0o600) == 0)
    // With a reader, the system would let a script write to it.
    let reader = open(folder.path("data/pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    #expect(
      try await told("tell(fails(moon.files.\(function), \(arguments)))", in: folder) == [code])
    #expect(TextFile.contents(of: folder.path("secret.txt")) == "secret")
    #expect(
      TextFile.names(in: folder.root).sorted() == ["data", "m.lua", "other.txt", "secret.txt"])
  }

  @Test func `an error names the path, the reason and what grants it`() async throws {
    let folder = try ScriptFolder(["data/a.txt": "alpha"])
    let told = try await told(
      """
      local done, problem = pcall(function() return moon.files.read("data/none") end)
      tell(problem)
      local done, problem = pcall(function() return moon.files.read("m.lua") end)
      tell(problem.reason)
      """, ["read:data/"], in: folder)
    #expect(told.first?.hasSuffix(": moon.files.read: there is no 'data/none'") == true)
    #expect(told.first?.hasPrefix("m.lua:") == true)
    let scope = "read:\(folder.root)/m.lua"
    #expect(
      told.last == "moon.files.read: \(scope) isn't among the needs of module m: "
        + "write needs = { \"\(scope)\" }")
  }

  @Test func `what isn't granted doesn't tell whether it exists`() async throws {
    let folder = try ScriptFolder(["data/a.txt": "", "kept/there": "", "kept/in/x": ""])
    try folder.makeLink("data/out", to: "../kept")
    try folder.makeLink("kept/link", to: "/etc/passwd")
    let told = try await told(
      """
      local function reasons(names)
        for _, f in ipairs { "read", "list", "exists", "write", "append", "remove", "watch" } do
          local all, count = {}, 0
          for _, name in ipairs(names) do
            local data = (f == "write" or f == "append") and "x" or nil
            local done, problem = pcall(moon.files[f], name, data)
            local reason = done and "done" or problem.reason:gsub(name, "NAME")
            if not all[reason] then count = count + 1 end
            all[reason] = true
          end
          tell(f, count)
        end
      end
      reasons { "kept/there", "kept/none", "kept/link", "kept/none/x", "kept/there/x", "kept/in" }
      reasons { "data/out/there", "data/out/none", "data/out/link/x", "data/out/in/x" }
      """, in: folder)
    let functions = ["read", "list", "exists", "write", "append", "remove", "watch"]
    #expect(told == (functions + functions).map { "\($0) 1" })
  }

  @Test func `a link inside the granted directory is followed, and stays when its file is written`()
    async throws
  {
    let folder = try ScriptFolder(["data/real/a.txt": "alpha"])
    try folder.makeLink("data/link", to: "real/a.txt")
    #expect(
      try await told(
        """
        tell(moon.files.read "data/link")
        moon.files.write("data/link", "new")
        tell(moon.files.read "data/real/a.txt", moon.files.info("data/link").kind)
        tell(moon.files.list("data")[1].kind)
        """, in: folder) == ["alpha", "new file", "link"])
  }

  @Test func `a granted directory may be reached by a link`() async throws {
    let folder = try ScriptFolder(["kept/a.txt": "alpha"])
    try folder.makeLink("data", to: "kept")
    #expect(
      try await told(
        """
        tell(moon.files.read "data/a.txt", moon.files.read "kept/a.txt")
        moon.files.write("data/b.txt", "b")
        tell(#moon.files.list "kept", fails(moon.files.list, "."))
        """, in: folder) == ["alpha alpha", "2 not_needed"])
  }

  @Test(arguments: [["read:*"], nil])
  func `moving a link that a module needs doesn't move what it reaches`(
    allowed: [String]?
  ) async throws {
    let folder = try ScriptFolder(["real/x": "inside", "other/x": "outside"])
    try folder.makeLink("dat", to: "real")
    let bench = try await EffectBench(
      """
      tell(moon.files.read "dat/x", fails(moon.files.read, "other/x"))
      moon.when("m.told", function(told) return #told >= 2 end)
      tell(fails(moon.files.read, "dat/x"), moon.files.read "real/x")
      """, services: [.files], needs: ["read:dat/"], allowed: allowed, in: folder)
    try await bench.start()
    try await bench.wait(forTold: 1)
    try folder.rename("dat", "old")
    try folder.makeLink("dat", to: "other")
    try await bench.host.dispatch(Action("m/tell", ["text": "moved"]), to: bench.session)
    #expect(try await bench.finish() == ["inside not_needed", "moved", "not_needed inside"])
    await bench.host.close()
  }

  @Test(arguments: [(["read:*"], "not_needed"), (["read:*", "env:*"], "read")])
  func `the variables of a process need all of env as well`(
    needs: [String], outcome: String
  ) async throws {
    let bench = try await EffectBench(
      """
      local done, err = pcall(moon.files.read, "/proc/self/environ", { as = "bytes" })
      tell(done and "read" or err.code)
      """, services: [.files], needs: needs, in: try ScriptFolder([:]))
    try await bench.start()
    #expect(try await bench.finish() == [outcome])
    await bench.host.close()
  }

  @Test func `a denial within a grant wins`() async throws {
    let folder = try ScriptFolder(["data/a": "a", "data/private/b": "b"])
    try folder.makeLink("data/link", to: "private/b")
    #expect(
      try await told(
        """
        tell(moon.files.read "data/a")
        tell(fails(moon.files.read, "data/private/b"), fails(moon.files.read, "data/link"))
        tell(fails(moon.files.rename, "data/private", "data/public"))
        """, denied: ["read:data/private/", "write:data/private/"], in: folder)
        == ["a", "denied denied", "denied"])
  }

  @Test func `a module can't move what it may not read to where it may`() async throws {
    let folder = try ScriptFolder([
      "drop/letter": "private", "data/a": "", "drop/open/f": "", "drop/secret/f": "private",
      "drop/kept/x": "", "drop/kept/y": "private",
    ])
    #expect(
      try await told(
        """
        local function rename(...) tell(fails(moon.files.rename, ...)) end
        rename("drop/letter", "data/letter")
        rename("drop/letter", "drop/other")
        moon.files.remove("drop/open", { recursive = true })
        rename("drop/secret", "drop/open")
        rename("drop/kept", "drop/all")
        rename("data/a", "drop/a")
        """, ["read:data/", "read:drop/open/", "read:drop/kept/x", "write:data/", "write:drop/"],
        in: folder) == ["not_needed", "not_needed", "not_needed", "not_needed", "done"])
    #expect(TextFile.names(in: folder.path("drop")).sorted() == ["a", "kept", "letter", "secret"])
  }

  @Test func `a denial protects what is below a directory that is moved or removed`() async throws {
    let folder = try ScriptFolder([
      "data/sub/f": "", "data/p/hidden/f": "", "data/one": "", "data/free/f": "", "data/sub2/f": "",
      "data/real/f": "",
    ])
    try folder.makeLink("data/link", to: "real")
    let told = try await told(
      """
      local files = moon.files
      local function remove(path)
        tell("remove", path, fails(files.remove, path, { recursive = true }))
      end
      local function rename(path, to) tell("rename", path, fails(files.rename, path, to)) end
      remove "data/sub"
      rename("data/sub", "data/x")
      rename("data/p", "data/x")
      rename("data/one", "data/x")
      rename("data/free", "data/later")
      rename("data/sub2", "data/x")
      rename("data/x", "data/sub3")
      remove "data/free"
      remove "data/p"
      rename("data/link", "data/x")
      remove "data/real"
      """,
      denied: [
        "write:data/sub/f", "read:data/p/hidden/", "read:data/one", "write:data/later/f",
        "write:data/link/f",
      ], in: folder)
    #expect(
      told == [
        "remove data/sub denied", "rename data/sub denied", "rename data/p denied",
        "rename data/one denied", "rename data/free denied", "rename data/sub2 done",
        "rename data/x done", "remove data/free done", "remove data/p done",
        "rename data/link done", "remove data/real denied",
      ])
    #expect(
      TextFile.names(in: folder.path("data")).sorted() == ["one", "real", "sub", "sub3", "x"])
  }

  @Test func `writing keeps permissions and leaves nothing else behind`() async throws {
    let folder = try ScriptFolder(["data/a.sh": "old"])
    #expect(chmod(folder.path("data/a.sh"), 0o751) == 0)
    #expect(
      try await told(
        """
        moon.files.write("data/a.sh", ("x"):rep(300000))
        tell(moon.files.info("data/a.sh").permissions, #moon.files.read "data/a.sh")
        moon.files.write("data/a.sh", "")
        tell(moon.files.read "data/a.sh" == "")
        """, in: folder) == ["751 300000", "true"])
    // Hidden names as well.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("data"))
    #expect(names == ["a.sh"])
  }

  @Test func `a file that may not be written isn't replaced`() async {
    await #expect(processExitsWith: .success) {
      let folder = try ScriptFolder(["data/a": "old"])
      try #require(chmod(folder.path("data/a"), 0o444) == 0)
      // Root may write everything. This process becomes nobody, to whom the folder belongs.
      let user = geteuid()
      let nobody: uid_t = user == 0 ? 65534 : user
      for path in ["..", "", "data", "data/a"] {
        try #require(chown(folder.path(path), nobody, gid_t(bitPattern: -1)) == 0)
      }
      // The saved user stays root.
      try #require(setreuid(nobody, .max) == 0 && seteuid(nobody) == 0)
      let told = try await FilesServiceTests().told(
        #"tell(fails(moon.files.write, "data/a", "new"))"#, in: folder)
      try #require(told == ["not_permitted"])
      try #require(TextFile.contents(of: folder.path("data/a")) == "old")
      try #require(seteuid(user) == 0)
    }
  }

  @Test func `bytes are written and read as they are`() async throws {
    #expect(
      try await told(
        #"""
        local all = {}
        for i = 0, 255 do all[i + 1] = string.char(i) end
        all = table.concat(all):rep(1000)
        moon.files.write("data/all", all)
        moon.files.append("data/all", "\0")
        tell(moon.files.read("data/all", { as = "bytes" }) == all .. "\0")
        """#) == ["true"])
  }

  @Test func `an answer is never larger than the host allows`() async throws {
    let told = try await told(
      """
      moon.files.write("data/a", ("x"):rep(1000))
      tell(fails(moon.files.read, "data/a"))
      moon.files.append("data/a", "x")
      tell(fails(moon.files.read, "data/a"), fails(moon.files.read, "data/a", { max = 1e9 }))
      """
    ) { $0.surroundings.answerBytesMax = 1000 }
    #expect(told == ["done", "too_large too_large"])
  }

  @Test func `removing a tree follows no link`() async throws {
    let folder = try ScriptFolder(["data/tree/a/b/c": "", "kept/x": "kept"])
    try folder.makeLink("data/tree/a/out", to: folder.path("kept"))
    #expect(
      try await told(
        """
        moon.files.remove("data/tree", { recursive = true })
        tell(moon.files.exists "data/tree")
        """, in: folder) == ["false"])
    #expect(TextFile.contents(of: folder.path("kept/x")) == "kept")
  }
}
