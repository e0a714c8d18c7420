import Glibc
import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// A directory that another process keeps replacing by a link that leads out.
@Suite(.timeLimit(.minutes(5))) struct LinkRaceTests {
  @Test func `a link made between a check and a use leads nowhere`() async throws {
    let folder = try ScriptFolder(["data/d/x": "inside", "other/x": "outside"])
    let bench = try await EffectBench(
      """
      local seen, codes = {}, {}
      local function try(f, ...)
        local done, result = pcall(moon.files[f], ...)
        if done and f == "read" then seen[result] = true end
        if not done then codes[result.code] = true end
      end
      for i = 1, 300 do
        try("read", "data/d/x")
        try("write", "data/d/x", "inside")
        try("append", "data/d/new", "")
        try("rename", "data/d/x", "data/d/y")
        try("rename", "data/d/y", "data/d/x")
        try("remove", "data/d/new")
        try("write", "data/d/x", "inside")
      end
      tell(seen.outside, seen.inside)
      codes.not_found, codes.not_granted, codes.unstable = nil, nil, nil
      codes.not_directory, codes.exists = nil, nil
      tell(next(codes))
      """, services: [.files], needs: ["read:data/", "write:data/"], in: folder)
    try await bench.start()
    var count = 0
    while try await bench.told().isEmpty {
      try folder.rename("data/d", "data/e")
      try folder.makeLink("data/d", to: "../other")
      try folder.remove("data/d")
      try folder.rename("data/e", "data/d")
      count += 1
    }
    #expect(try await bench.finish() == ["nil true", "nil"])
    #expect(count > 0)
    #expect(TextFile.names(in: folder.path("other")) == ["x"])
    #expect(TextFile.contents(of: folder.path("other/x")) == "outside")
    await bench.host.close()
  }
}
