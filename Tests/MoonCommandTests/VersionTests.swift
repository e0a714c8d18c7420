import Foundation
import MoonTestSupport
import Testing

@testable import MoonCommand

/// What `--version` says of the program.
@Suite(.ownThread) struct VersionTests {
  /// Facts that it prints, each on a line of its own, and what they look like.
  static let facts = [
    #"moonwire \d+\.\d+\.\d+"#, "build [0-9a-f]{40}", #"Lua 5\.4\.\d+"#,
    #"libcurl \d+\.\d+\.\d+.*"#, #"SQLite 3\.\d+\.\d+(\.\d+)?"#,
  ]

  @Test(arguments: facts)
  func `each fact has a line of its own`(fact: String) throws {
    let result = try Program.run(["--version"])
    let pattern = try Regex(fact)
    #expect(result.code == 0)
    #expect(try result.lines.count { try pattern.wholeMatch(in: $0) != nil } == 1, "\(result)")
  }

  @Test(.enabled(if: Program.has("readelf")))
  func `the build is the one that tools find in the program`() throws {
    let notes = try Program.shell("readelf --notes $MOONWIRE").output
    let build = try #require(notes.firstMatch(of: /Build ID: ([0-9a-f]+)/)).1
    #expect(try Program.run(["--version"]).lines.contains("build \(build)"))
  }

  private static let note: [UInt8] =
    [4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0] + Array("GNU\0".utf8) + Array(246...255) + Array(0...9)

  @Test func `a note is found wherever it begins`() {
    let digits = "f6f7f8f9fafbfcfdfeff00010203040506070809"
    #expect(BuildID.find(in: Self.note[...]) == digits)
    #expect(BuildID.find(in: ([1, 2, 3] + Self.note + [4])[...]) == digits)
  }

  @Test(arguments: [[], Array(note.dropLast()), Array(note.dropFirst())])
  func `a program without a whole note has no build`(beginning: [UInt8]) {
    #expect(BuildID.find(in: beginning[...]) == nil)
  }
}
