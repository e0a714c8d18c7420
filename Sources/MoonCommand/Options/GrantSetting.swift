import MoonPrompt
import Moonwire

/// A grant or denial as written on the command line: `state:*`, `counter=state:*`.
enum GrantSetting {
  /// Parses `[module=]scope`.
  ///
  /// - Throws: ``GrantError``
  static func rule(parsing text: String) throws(GrantError) -> Grants.Rule {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    // A scope has a colon, which no name has. Its pattern may have an equals sign.
    guard parts.count == 2, !parts[0].contains(":") else {
      return Grants.Rule(try scope(text), for: nil)
    }
    guard let module = ModuleName(String(parts[0])) else {
      throw .notAModuleName(String(parts[0]))
    }
    return Grants.Rule(try scope(String(parts[1])), for: module)
  }

  private static func scope(_ text: String) throws(GrantError) -> Scope {
    do throws(ScopeError) {
      return try Scope(parsing: text)
    } catch {
      throw .scope(text, error)
    }
  }

  /// Returns the report on grants for a module that doesn't exist.
  static func waitReport(for name: ModuleName, nearest: String?) -> Report {
    Report(.warning, "there is no module \(name) yet: its grants wait for it").adding(
      Report.Row.suggestion(nearest))
  }
}

/// The reason that a text isn't a grant.
enum GrantError: Error, Equatable, Sendable {
  /// The text before the equals sign isn't the name of a module.
  case notAModuleName(String)
  /// The text after the equals sign isn't a scope.
  case scope(String, ScopeError)
}

extension GrantError: CustomStringConvertible {
  /// The mistake, and the form of a grant.
  var description: String {
    switch self {
    case .notAModuleName("*"): "for all modules leave the name out, as in state:*"
    case .notAModuleName(let name): "'\(name)' can't be a module's name"
    case .scope(let text, let error):
      text.isEmpty ? "write [module=]scope, as in counter=state:*" : "\(error)"
    }
  }
}
