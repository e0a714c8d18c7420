import Foundation
import MoonServices
import Moonwire
import Testing

/// The reference of services lists exactly what is declared.
struct ServiceReferenceTests {
  private static let page = "Sources/Moonwire/Moonwire.docc/Reference/ServiceFunctions.md"

  private static func text(of page: String = page) throws -> String {
    // Tests/MoonServicesTests/THIS FILE
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: page), encoding: .utf8)
  }

  /// Returns the row of a function; `caller` is what stands before its name.
  private static func row(_ function: ServiceFunction, _ caller: String) -> String {
    let parameters = function.parameters.map { parameter in
      "`\(parameter.name)` \(parameter.type)"
        + (parameter.summary.isEmpty ? "" : ": \(parameter.summary)")
    }
    let place =
      switch function.kind {
      case .pure: "everywhere"
      case .immediate: "at once"
      case .asynchronous, .stream, .opening: "waits"
      }
    let cells = [
      "`\(caller)\(function.signature)`", parameters.joined(separator: "; "), function.returns,
      place, function.summary,
    ]
    return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }

  /// Returns the rows of all functions, each service's and its handles'.
  static func rows(of services: [Service]) -> [String] {
    services.flatMap { service in
      service.functions.map { row($0, "moon.\(service.name).") }
        + service.handles.filter { $0.name != "stream" }.flatMap { handle in
          handle.methods.map { row($0, "\(handle.name):") }
        }
    }
  }

  @Test func `every function is in the reference, and each of its is one`() throws {
    let told = try Self.text().split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("| `")
    }
    let declared = Self.rows(of: Service.standard)
    #expect(!declared.isEmpty)
    #expect(Set(declared).subtracting(told).sorted() == [], "missing in the reference")
    #expect(Set(told).subtracting(declared).sorted() == [], "in the reference and not declared")
  }

  @Test func `every service has a section with its summary`() throws {
    let text = try Self.text()
    for service in Service.standard {
      #expect(
        text.contains("### `moon.\(service.name)`\n\n\(service.summary)\n"), "\(service.name)")
    }
  }

  @Test func `the guide's table has every service with its summary`() throws {
    let guide = Self.page.replacing("Reference/ServiceFunctions", with: "Guides/Services")
    let told = try Self.text(of: guide).split(separator: "\n").filter { $0.hasPrefix("| `moon.") }
      .map { $0.split(separator: "|").prefix(2).joined(separator: "|") }
    #expect(told == Service.standard.map { " `moon.\($0.name)` | \($0.summary) " })
  }

  @Test(arguments: Service.standard.flatMap(\.functions))
  func `every function says what it does`(function: ServiceFunction) {
    #expect(function.summary.hasSuffix("."))
    #expect(function.summary.first?.isUppercase ?? false)
  }
}
