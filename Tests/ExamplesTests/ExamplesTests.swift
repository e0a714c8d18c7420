import Foundation
import MoonTestSupport
import Testing

/// Every folder of examples is a case: its session, piped in, prints what is expected of it.
struct ExamplesTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "examples")

  /// Where the programs of the package are: beside the one that runs the tests.
  static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  static var names: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test func `there are examples`() {
    #expect(Self.names.contains("counter") && Self.names.contains("todo"))
  }

  @Test(arguments: names)
  func `a session prints what is expected`(name: String) throws {
    let example = Self.folder.appending(path: name)
    let expected = try String(contentsOf: example.appending(path: "expected.txt"), encoding: .utf8)
    let input = try String(contentsOf: example.appending(path: "session.txt"), encoding: .utf8)
    let (output, code) = try Self.run(["run", "--no-watch", example.path], input: input)
    #expect(output == expected)
    #expect(code == 0)
  }

  /// Runs the program; results and log come together, as on a terminal: their order is part of
  /// what is expected.
  static func run(_ arguments: [String], input: String = "") throws -> (output: String, code: Int32)
  {
    let result = try ChildProcess.run(
      [products.appending(path: "moonwire").path] + arguments, input: input, reading: .together)
    return (result.output, result.code)
  }
}
