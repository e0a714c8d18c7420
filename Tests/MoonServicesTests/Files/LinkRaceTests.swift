import Glibc
import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// A directory that another process keeps replacing by a link that leads out.
@Suite(.timeLimit(.minutes(5))) struct LinkRaceTests {
  @Test(arguments: [("data/c", "../other"), ("data/c/d", "../../other/d")])
  func `a link made between a check and a use leads nowhere`(
    directory: String, outside: String
  ) async throws {
    let folder = try ScriptFolder([
      "data/c/d/x": "inside", "other/d/x": "outside", "other/d/sub/x": "outside",
    ])
    let bench = try await EffectBench(
      """
      local seen, codes = {}, {}
      local function try(f, ...)
        local done, result = pcall(moon.files[f], ...)
        if done and f == "read" then seen[result] = true end
        if not done then codes[result.code] = true end
      end
      for i = 1, 300 do
        try("read", "data/c/d/x")
        try("write", "data/c/d/x", "inside")
        try("append", "data/c/d/new", "")
        try("rename", "data/c/d/x", "data/c/d/y")
        try("rename", "data/c/d/y", "data/c/d/x")
        try("remove", "data/c/d/new")
        try("remove", "data/c/d/sub", { recursive = true })
        try("write", "data/c/d/x", "inside")
      end
      tell(seen.outside, seen.inside)
      codes.not_found, codes.not_granted, codes.unstable = nil, nil, nil
      codes.not_directory, codes.exists, codes.no_directory = nil, nil, nil
      tell(next(codes))
      """, services: [.files], needs: ["read:data/", "write:data/"], in: folder)
    try await bench.start()
    var count = 0
    while try await bench.told().isEmpty {
      try folder.rename(directory, "data/moved")
      try folder.makeLink(directory, to: outside)
      try folder.remove(directory)
      try folder.rename("data/moved", directory)
      count += 1
    }
    #expect(try await bench.finish() == ["nil true", "nil"])
    #expect(count > 0)
    #expect(TextFile.names(in: folder.path("other/d")).sorted() == ["sub", "x"])
    #expect(TextFile.names(in: folder.path("other/d/sub")) == ["x"])
    #expect(TextFile.contents(of: folder.path("other/d/x")) == "outside")
    await bench.host.close()
  }
}
