import MoonStore
import MoonValues

/// Something outside itself that a module asks for: a kind, and what of it, as in `state:cart`.
///
/// What it names is a pattern with at most one `*`, which stands for any text.
public struct Scope: Hashable, Sendable {
  /// What a module may ask for.
  public enum Kind: String, Sendable, CaseIterable {
    /// Changing slices of other modules: `state:*`, or `state:cart` for one.
    case state
  }

  /// The maximum length of a scope, in bytes.
  public static let byteCountMax = 256

  /// The kind.
  public let kind: Kind
  /// What of that kind.
  public let pattern: String

  /// Reads `kind:pattern`.
  ///
  /// - Throws: ``ScopeError``
  public init(parsing text: String) throws(ScopeError) {
    guard text.utf8.count <= Self.byteCountMax else { throw .tooLong(max: Self.byteCountMax) }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = Kind(rawValue: String(parts[0])) else {
      throw .unknownKind(
        String(parts[0]),
        nearest: Spelling.nearest(to: String(parts[0]), in: Kind.allCases.map(\.rawValue)))
    }
    guard parts.count == 2, !parts[1].isEmpty else { throw .nothingNamed(kind) }
    self.kind = kind
    pattern = String(parts[1])
    guard pattern.count(where: { $0 == "*" }) <= 1 else { throw .severalStars(pattern) }
    try kind.check(pattern)
  }

  /// A scope of the host's own.
  init(_ kind: Kind, _ pattern: String) {
    self.kind = kind
    self.pattern = pattern
  }

  /// Whether everything that another scope stands for is in this one.
  public func covers(_ other: Scope) -> Bool {
    kind == other.kind && StarPattern(pattern).covers(StarPattern(other.pattern))
  }

  /// Whether something that another scope stands for is in this one.
  public func overlaps(_ other: Scope) -> Bool {
    kind == other.kind && StarPattern(pattern).overlaps(StarPattern(other.pattern))
  }
}

extension Scope.Kind {
  /// Checks what is named of a kind.
  fileprivate func check(_ pattern: String) throws(ScopeError) {
    switch self {
    case .state:
      guard pattern == "*" || pattern == "navigation" || ModuleName(pattern) != nil else {
        throw .notASlice(pattern)
      }
    }
  }

  /// One scope of the kind.
  var sample: String {
    switch self {
    case .state: "state:* or state:cart"
    }
  }
}

extension Scope: CustomStringConvertible {
  /// As it is written.
  public var description: String { "\(kind.rawValue):\(pattern)" }
}

/// Why a text isn't a scope.
public enum ScopeError: Error, Hashable, Sendable {
  /// There are no scopes of that kind; `nearest` may be meant.
  case unknownKind(String, nearest: String?)
  /// It doesn't say what of the kind.
  case nothingNamed(Scope.Kind)
  /// There is more than one `*`.
  case severalStars(String)
  /// A slice is named by its module, by `navigation`, or by `*`.
  case notASlice(String)
  /// It has too many bytes.
  case tooLong(max: Int)
}

extension ScopeError: CustomStringConvertible {
  /// What is wrong, and what to write.
  public var description: String {
    switch self {
    case .unknownKind(let kind, let nearest):
      "there is no scope '\(kind)'"
        + (nearest.map { "; did you mean '\($0)'?" }
          ?? ": there are \(Wording.list(Scope.Kind.allCases.map(\.rawValue)))")
    case .nothingNamed(let kind): "say what of the \(kind.rawValue), as in \(kind.sample)"
    case .severalStars(let pattern): "'\(pattern)' has more than one *"
    case .notASlice(let pattern):
      "'\(pattern)' is no slice: write a module's name, navigation, or * for all"
    case .tooLong(let max): "it is longer than \(max) bytes"
    }
  }
}

/// A text with at most one `*`, which stands for any text.
private struct StarPattern {
  let prefix: Substring
  /// What comes after the star; nil if there is none.
  let suffix: Substring?

  init(_ text: String) {
    let parts = text.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
    prefix = parts[0]
    suffix = parts.count == 2 ? parts[1] : nil
  }

  private func matches(_ text: Substring) -> Bool {
    guard let suffix else { return text == prefix }
    return text.count >= prefix.count + suffix.count && text.hasPrefix(prefix)
      && text.hasSuffix(suffix)
  }

  func covers(_ other: StarPattern) -> Bool {
    guard let theirs = other.suffix else { return matches(other.prefix) }
    guard let suffix else { return false }
    return other.prefix.hasPrefix(prefix) && theirs.hasSuffix(suffix)
  }

  func overlaps(_ other: StarPattern) -> Bool {
    guard let suffix else { return other.matches(prefix) }
    guard let theirs = other.suffix else { return matches(other.prefix) }
    return (prefix.hasPrefix(other.prefix) || other.prefix.hasPrefix(prefix))
      && (suffix.hasSuffix(theirs) || theirs.hasSuffix(suffix))
  }
}
