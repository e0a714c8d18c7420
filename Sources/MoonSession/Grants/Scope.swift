import MoonStore
import MoonValues

/// A permission that a module requests: a kind and a pattern, as in `state:cart`.
///
/// The pattern contains at most one `*`, which matches any text.
public struct Scope: Hashable, Sendable {
  /// The kinds of permission.
  public enum Kind: String, Sendable, CaseIterable {
    /// Changing slices of other modules: `state:*` for all, `state:cart` for one.
    case state
  }

  /// The maximum length of a scope, in bytes.
  public static let byteCountMax = 256

  /// The kind.
  public let kind: Kind
  /// The pattern.
  public let pattern: String

  /// Parses `kind:pattern`.
  ///
  /// - Throws: ``ScopeError`` if the text isn't a scope.
  public init(parsing text: String) throws(ScopeError) {
    guard text.utf8.count <= Self.byteCountMax else { throw .tooLong(max: Self.byteCountMax) }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = Kind(rawValue: String(parts[0])) else {
      throw .unknownKind(
        String(parts[0]),
        nearest: Spelling.nearest(to: String(parts[0]), in: Kind.allCases.map(\.rawValue)))
    }
    guard parts.count == 2, !parts[1].isEmpty else { throw .missingPattern(kind) }
    self.kind = kind
    pattern = String(parts[1])
    guard pattern.count(where: { $0 == "*" }) <= 1 else { throw .severalStars(pattern) }
    try kind.check(pattern)
  }

  /// Makes a scope without checking the pattern.
  init(_ kind: Kind, _ pattern: String) {
    self.kind = kind
    self.pattern = pattern
  }

  /// Returns whether this scope matches everything that another scope matches.
  public func covers(_ other: Scope) -> Bool {
    kind == other.kind && StarPattern(pattern).covers(StarPattern(other.pattern))
  }

  /// Returns whether any text matches both this scope and another.
  public func overlaps(_ other: Scope) -> Bool {
    kind == other.kind && StarPattern(pattern).overlaps(StarPattern(other.pattern))
  }
}

extension Scope.Kind {
  /// Checks that a pattern is valid for the kind.
  fileprivate func check(_ pattern: String) throws(ScopeError) {
    switch self {
    case .state:
      guard pattern == "*" || pattern == "navigation" || ModuleName(pattern) != nil else {
        throw .notASlice(pattern)
      }
    }
  }

  /// An example of the kind, for messages.
  var sample: String {
    switch self {
    case .state: "state:* or state:cart"
    }
  }
}

extension Scope: CustomStringConvertible {
  /// The scope as it is written.
  public var description: String { "\(kind.rawValue):\(pattern)" }
}

/// The reason that a text isn't a scope.
public enum ScopeError: Error, Hashable, Sendable {
  /// The kind is unknown; `nearest` is a known kind with similar spelling.
  case unknownKind(String, nearest: String?)
  /// The pattern is missing.
  case missingPattern(Scope.Kind)
  /// The pattern contains more than one `*`.
  case severalStars(String)
  /// The pattern isn't the name of a module, `navigation` or `*`.
  case notASlice(String)
  /// The text is longer than `max` bytes.
  case tooLong(max: Int)
}

extension ScopeError: CustomStringConvertible {
  /// One phrase: the problem, and the correct form if one is known.
  public var description: String {
    switch self {
    case .unknownKind(let kind, let nearest):
      "there is no scope '\(kind)'"
        + (nearest.map { "; did you mean '\($0)'?" }
          ?? ": there are \(Wording.list(Scope.Kind.allCases.map(\.rawValue)))")
    case .missingPattern(let kind): "say what of the \(kind.rawValue), as in \(kind.sample)"
    case .severalStars(let pattern): "'\(pattern)' has more than one *"
    case .notASlice(let pattern):
      "'\(pattern)' is no slice: write a module's name, navigation, or * for all"
    case .tooLong(let max): "it is longer than \(max) bytes"
    }
  }
}

/// A pattern with at most one `*`, which matches any text.
private struct StarPattern {
  let prefix: Substring
  /// The text after the star; nil if there is no star.
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
