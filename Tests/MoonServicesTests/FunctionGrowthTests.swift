import Foundation
import MoonServices
import Moonwire
import Testing

/// `scripts/bench growth` measures every function that scripts can call, or says why not.
struct FunctionGrowthTests {
  private static let file = "Sources/Measuring/MoonBench/FunctionGrowth.swift"

  /// Returns the names in the table of the measurements.
  private static func names() throws -> Set<String> {
    // Tests/MoonServicesTests/THIS FILE
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
    return Set(text.matches(of: /"([A-Za-z0-9_.:]+\*?)":/).map { String($0.1) })
  }

  /// The functions of services, of `moon` and `self`, and those of Lua that take texts or tables.
  private static var functions: Set<String> {
    var all: Set<String> = []
    for service in Service.standard {
      all.formUnion(service.functions.map { "moon.\(service.name).\($0.name)" })
      for handle in service.handles where handle.name != "stream" {
        all.formUnion(handle.methods.map { "\(handle.name):\($0.name)" })
      }
    }
    all.formUnion(ScriptLibrary.words.filter { $0.parameters != nil }.map(\.path))
    for (library, names) in ScriptNames.libraries where library != "package" {
      all.formUnion(names.map { "\(library).\($0)" })
    }
    // A text.
    all.remove("utf8.charpattern")
    return all
  }

  private static func covers(_ name: String, _ function: String) -> Bool {
    name == function || (name.hasSuffix("*") && function.hasPrefix(name.dropLast()))
  }

  @Test func `every function is in the table`() throws {
    let names = try Self.names()
    let missing = Self.functions.filter { function in
      !names.contains { Self.covers($0, function) }
    }
    #expect(missing.sorted() == [], "measured by nothing")
  }

  @Test func `the table has no other function`() throws {
    let unknown = try Self.names().subtracting(["load", "tonumber", "print"]).filter { name in
      !Self.functions.contains { Self.covers(name, $0) }
    }
    #expect(unknown.sorted() == [], "not a function")
  }
}
