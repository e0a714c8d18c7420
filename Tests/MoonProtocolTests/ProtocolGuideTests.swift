import Foundation
import MoonProtocol
import MoonTestSupport
import Moonwire
import Testing

/// The guide on the protocol says what the sources say.
struct ProtocolGuideTests {
  private static let page: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.appending(path: "Sources/Moonwire/Moonwire.docc/Guides/Protocol.md")
    return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
  }()

  @Test func `the guide has the table of methods`() {
    let rows = Methods.all.map { method in
      let parameters = method.parameters.map {
        "`\($0.name)`: \($0.type.replacing("|", with: " or "))"
      }
      return
        "| `\(method.name)` | \(parameters.isEmpty ? "none" : parameters.joined(separator: "; "))"
        + " | \(method.result) | \(method.help) |"
    }
    let table = rows.joined(separator: "\n")
    #expect(Self.page.contains("\n\(table)\n"), "the table should be:\n\(table)")
  }

  @Test func `the guide has the table of errors`() {
    let table = ProtocolError.Code.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
      .joined(separator: "\n")
    #expect(Self.page.contains("\n\(table)\n"), "the table should be:\n\(table)")
  }

  @Test func `the guide's conversation takes place`() async throws {
    let client = try await ProtocolClient(ScriptFolder(["counter.lua": ScriptFolder.counter]))
    let lines = Self.page.split(separator: "\n")
    let sent = lines.filter { $0.hasPrefix("→ ") }
    #expect(sent.count > 5)
    for line in lines {
      if line.hasPrefix("→ ") { client.send(line.dropFirst(2) + "\n") }
      if line.hasPrefix("← ") {
        let told = await client.received.take()[0]
        #expect(told == line.dropFirst(2))
      }
    }
    #expect(client.received.count == 0)
  }
}
