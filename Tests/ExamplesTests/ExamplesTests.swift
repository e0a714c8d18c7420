import Foundation
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
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = ["run", "--no-watch", example.path]
    process.standardInput = try FileHandle(
      forReadingFrom: example.appending(path: "session.txt"))
    // One pipe for results and log, as on a terminal: their order is part of what is expected.
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(String(decoding: output, as: UTF8.self) == expected)
    #expect(process.terminationStatus == 0)
  }

  private static var executable: URL { products.appending(path: "moonwire") }
}
