package import MoonLua
import MoonServiceKit
import MoonValues

/// The services of a host, by the names that scripts use.
package struct ServiceCatalog: Sendable {
  /// A function, or a method of a handle.
  struct Entry: Sendable {
    let function: ServiceFunction
    let isMethod: Bool
    let service: Service
  }

  let services: [Service]
  private let byName: [String: Service]
  private let entries: [String: Entry]

  /// Checks the names of services and indexes them.
  ///
  /// - Throws: ``ServiceNameError``.
  init(_ services: [Service]) throws(ServiceNameError) {
    var byName: [String: Service] = [:]
    var entries: [String: Entry] = [:]
    for service in services {
      guard Self.isName(service.name) else {
        throw ServiceNameError(name: service.name, problem: .name)
      }
      guard byName.updateValue(service, forKey: service.name) == nil else {
        throw ServiceNameError(name: service.name, problem: .nameTaken)
      }
      for (path, entry) in Self.entries(of: service) {
        guard Self.isName(entry.function.name) else {
          throw ServiceNameError(name: path, problem: .name)
        }
        if entries.updateValue(entry, forKey: path) != nil, !entry.isMethod {
          throw ServiceNameError(name: path, problem: .nameTaken)
        }
      }
    }
    self.services = services.sorted { $0.name < $1.name }
    self.byName = byName
    self.entries = entries
  }

  /// Returns the function `http.get`, or the method `http.socket:send`.
  subscript(path: String) -> Entry? { entries[path] }

  /// The names of all services.
  var names: [String] { services.map(\.name) }

  /// The parts of a service for Lua.
  struct Description {
    /// The kinds of its functions by name.
    let functions: Value
    /// The kinds of the methods of its handles by name, for each handle.
    let handles: Value
    let isScripted: Bool
    /// The functions that take one argument at most, each with `true`.
    let simple: Value
  }

  /// Returns the parts of a service for Lua; nil if there is no such service.
  func description(of name: String) -> Description? {
    guard let service = byName[name] else { return nil }
    let handles = Self.handles(of: service).map {
      (Key.string(Text($0.name)), Self.kinds(of: $0.methods))
    }
    let simple = service.hostFunctions.filter { $0.parameters.count <= 1 }
    return Description(
      functions: Self.kinds(of: service.hostFunctions), handles: .map(Map(handles)),
      isScripted: service.script != nil,
      simple: .map(Map(simple.map { (Key.string(Text($0.name)), Value.bool(true)) })))
  }

  /// Returns the script of a service, or a library of it, by the name passed to `require`:
  /// `moonwire.service.storage`.
  package func library(_ name: String) -> Services.Library? {
    let words = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard (3...4).contains(words.count), words.starts(with: ["moonwire", "service"]),
      let script = byName[words[2]]?.script,
      let source = words.count == 3 ? script.source : script.libraries[words[3]]
    else { return nil }
    return Services.Library(file: "\(words.joined(separator: "/")).lua", own: source)
  }

  /// The kinds of handle that the functions of a service open, also those for its script.
  private static func handles(of service: Service) -> [HandleKind] {
    service.handles + (service.script?.functions.compactMap(\.opened) ?? [])
  }

  private static func kinds(of functions: [ServiceFunction]) -> Value {
    .map(
      Map(
        functions.map { (Key.string(Text($0.name)), Value.string(Text($0.kind.rawValue))) }))
  }

  private static func entries(of service: Service) -> [(String, Entry)] {
    service.hostFunctions.map {
      (
        "\(service.name).\($0.name)",
        Entry(function: $0, isMethod: false, service: service)
      )
    }
      + handles(of: service).flatMap { kind in
        kind.methods.map {
          (
            "\(service.name).\(kind.name):\($0.name)",
            Entry(function: $0, isMethod: true, service: service)
          )
        }
      }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first) else { return false }
    return text.utf8.allSatisfy {
      (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_")
    }
  }
}

/// The name of a service, or of a function of one such as `http.get`, that can't be used.
package struct ServiceNameError: Error, Equatable {
  package let name: String
  package let problem: ServiceProblem
}

/// The reason that a service can't be offered.
public enum ServiceProblem: Sendable, Equatable {
  /// The name isn't one, or is another part of `moon`.
  case name
  /// There are two of the name.
  case nameTaken
}
