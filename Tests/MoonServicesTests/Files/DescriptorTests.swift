import Glibc
import MoonFiles
import MoonTestSupport
import Testing

@testable import MoonServices

struct DescriptorTests {
  @Test func `a directory may have as many names as asked for, and not one more`() throws {
    let folder = try ScriptFolder(["c.lua": "", "a.lua": "", "b.lua": ""])
    let directory = try Descriptor(opening: folder.root, O_RDONLY | O_DIRECTORY)
    #expect(try directory.names(max: 3).map(\.validText) == ["a.lua", "b.lua", "c.lua"])
    #expect(throws: SystemError(code: EOVERFLOW)) { try directory.names(max: 2) }
  }
}
