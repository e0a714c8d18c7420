package import MoonNavigation
public import MoonValues

/// A pattern of screens, by module and kind.
public enum ScreenPattern: Sendable, Hashable {
  /// All screens: `*`.
  case all
  /// All screens of a module: `detail/*`.
  case module(Text)
  /// The screens of one kind: `detail/form`.
  case kind(Text, of: Text)

  /// Reads a pattern as a module writes it; nil if it isn't one.
  ///
  /// `form` is a kind of the owner's own screens, `detail/form` one of another module's, `detail/*`
  /// stands for all of that module's, `*` for all. A star elsewhere isn't a pattern.
  public init?(_ text: String, owner: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let module = parts.count == 2 ? String(parts[0]) : owner
    let kind = parts.last.map(String.init) ?? ""
    switch (text, kind) {
    case ("*", _): self = .all
    case (_, "*") where !module.isEmpty && !module.contains("*"): self = .module(Text(module))
    default:
      guard !module.isEmpty, !kind.isEmpty, !text.contains("*") else { return nil }
      self = .kind(Text(kind), of: Text(module))
    }
  }

  /// The module of the screens; nil for all.
  package var module: Text? {
    switch self {
    case .all: nil
    case .module(let module), .kind(_, let module): module
    }
  }

  /// Returns whether the pattern matches a screen.
  package func matches(_ screen: Screen) -> Bool {
    switch self {
    case .all: true
    case .module(let module): screen.owner?.module == module
    case .kind(let kind, let module): screen.owner?.module == module && screen.kind == kind
    }
  }
}

extension ScreenPattern: CustomStringConvertible {
  /// The pattern as it is written absolutely.
  public var description: String {
    switch self {
    case .all: "*"
    case .module(let module): "\(module)/*"
    case .kind(let kind, let module): "\(module)/\(kind)"
    }
  }
}
