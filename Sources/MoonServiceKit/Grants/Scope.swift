import MoonActions
import MoonValues

/// A permission that a module requests: a kind and a pattern, as in `state:cart`.
///
/// What a pattern may be depends on the kind. Except in paths, it contains at most one `*`, which
/// matches any text.
public struct Scope: Hashable, Sendable {
  /// The kinds of permission.
  public enum Kind: String, Sendable, CaseIterable {
    /// Changing slices of other modules: `state:*` for all, `state:cart` for one.
    case state
    /// Reaching hosts: `net:example.com`, `net:*.example.com:443`, `net:localhost:8080`.
    case net
    /// Keeping things in the storage: `storage`.
    case storage
    /// Reading files: `read:data/`.
    case read
    /// Writing files: `write:data/`.
    case write
    /// Reading variables of the environment, and giving them to programs: `env:HOME`, `env:APP_*`.
    case env
    /// Running programs: `run:git`.
    case run
    /// Dispatching actions that control the session, by the first part of their types:
    /// `control:timeline`, `control:action_blocker`.
    case control
  }

  /// The maximum length of a scope, in bytes.
  package static let byteCountMax = 256

  /// The kind.
  public let kind: Kind
  /// The pattern; empty for a kind without patterns.
  public let pattern: String
  /// Whether the pattern is the path of what is really reached, so that no link in it is followed.
  private let isPlace: Bool
  /// The pattern of `net`, read once, since each request is compared with it; nil if it is none.
  private let hosts: NetPattern?

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
    self.kind = kind
    isPlace = false
    guard kind != .storage else {
      guard parts.count == 1 else { throw .needlessPattern(kind) }
      pattern = ""
      hosts = nil
      return
    }
    guard parts.count == 2, !parts[1].isEmpty else { throw .missingPattern(kind) }
    pattern = String(parts[1])
    hosts = kind == .net ? NetPattern(pattern) : nil
    // Bytes, as patterns are split at them: a star with an accent is one as well.
    guard pattern.utf8.count(where: { $0 == UInt8(ascii: "*") }) <= 1 else {
      throw .severalStars(pattern)
    }
    guard kind != .net || hosts != nil else { throw .notAHost(pattern) }
    try kind.check(pattern)
  }

  /// Makes a scope without checking the pattern.
  init(_ kind: Kind, _ pattern: String, isPlace: Bool = false) {
    self.kind = kind
    self.pattern = pattern
    self.isPlace = isPlace
    hosts = kind == .net ? NetPattern(pattern) : nil
  }

  /// The permission to keep things in the storage.
  public static let storage = Scope(.storage, "")

  /// The permission to read a variable of the environment.
  public static func variable(_ name: String) -> Scope { Scope(.env, name) }

  /// The permission to run a program.
  public static func program(_ name: String) -> Scope { Scope(.run, name) }

  /// The permission to dispatch actions of a module that control the session.
  package static func control(_ name: String) -> Scope { Scope(.control, name) }

  /// The permission to reach a host at a port.
  public init(host: String, port: Int) {
    let isAddress = host.utf8.contains(UInt8(ascii: ":")) && !host.hasPrefix("[")
    kind = .net
    pattern = isAddress ? "[\(host)]:\(port)" : "\(host):\(port)"
    isPlace = false
    // Not read again from the text, which took 20,000 instructions for each request.
    hosts =
      NetPattern.isPlainName(host) && (1...65_535).contains(port)
      ? NetPattern(host: host, port: port) : NetPattern(pattern)
  }

  /// Whether it is about addresses that must be named: loopback and private ones.
  var isLocal: Bool { hosts?.isLocal ?? false }

  /// Returns whether this scope matches everything that another scope matches.
  ///
  /// Paths are compared as they are written.
  package func covers(_ other: Scope) -> Bool { covers(other, in: .unknown) }

  /// Returns whether this scope matches everything that another scope matches.
  ///
  /// Paths are relative to these directories, and symbolic links in them are followed.
  func covers(
    _ other: Scope, in directories: ScopeDirectories, asDenial: Bool = false
  ) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .storage: return true
    case .run where asDenial && pattern.hasPrefix("/"):
      // Also the program that a link leads to.
      return [pattern, directories.destination(of: pattern)].contains {
        StarPattern($0).covers(StarPattern(other.pattern))
      }
    case .state, .env, .run, .control:
      return StarPattern(pattern).covers(StarPattern(other.pattern))
    case .net:
      guard let own = hosts, let theirs = other.hosts else { return false }
      return own.covers(theirs, asDenial: asDenial)
    case .read, .write:
      return pair(other, directories).map { $0.covers($1) } ?? false
    }
  }

  /// Returns whether anything matches both this scope and another.
  package func overlaps(_ other: Scope) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .storage: return true
    case .state, .env, .run, .control:
      return StarPattern(pattern).overlaps(StarPattern(other.pattern))
    case .net:
      guard let own = hosts, let theirs = other.hosts else { return false }
      return own.overlaps(theirs)
    case .read, .write:
      return pair(other, .unknown).map { $0.overlaps($1) } ?? false
    }
  }

  private func pair(
    _ other: Scope, _ directories: ScopeDirectories
  ) -> (PathPattern, PathPattern)? {
    guard let own = PathPattern(pattern, in: directories), let theirs = other.place(in: directories)
    else { return nil }
    return (own, theirs)
  }

  /// Where the path of a scope of files leads; nil if it is relative to an unknown directory.
  func place(in directories: ScopeDirectories) -> PathPattern? {
    // A link that has been made at a place since it was reached is not where it leads.
    PathPattern(pattern, in: isPlace ? directories.withoutLinks : directories)
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
    case .read, .write: guard PathPattern.isPath(pattern) else { throw .notAPath(pattern) }
    case .control:
      // Not all of them are names of modules: `api` and `crash` aren't.
      guard pattern == "*" || !pattern.contains("/") && ActionPattern.isType("\(pattern)/x") else {
        throw .notAControl(pattern)
      }
    case .net, .storage, .env, .run: break
    }
  }

  /// An example of the kind, for messages.
  var sample: String {
    switch self {
    case .state: "state:* or state:cart"
    case .net: "net:example.com or net:localhost:8080"
    case .storage: "storage"
    case .read: "read:data/"
    case .write: "write:data/"
    case .env: "env:HOME"
    case .run: "run:git"
    case .control: "control:timeline"
    }
  }
}

extension Scope: CustomStringConvertible {
  /// The scope as it is written.
  public var description: String {
    kind == .storage ? kind.rawValue : "\(kind.rawValue):\(pattern)"
  }
}

/// The reason that a text isn't a scope.
public enum ScopeError: Error, Hashable, Sendable {
  /// The kind is unknown; `nearest` is a known kind with similar spelling.
  case unknownKind(String, nearest: String?)
  /// The pattern is missing.
  case missingPattern(Scope.Kind)
  /// The kind has no patterns.
  case needlessPattern(Scope.Kind)
  /// The pattern contains more than one `*`.
  case severalStars(String)
  /// The pattern isn't the name of a module, `navigation` or `*`.
  case notASlice(String)
  /// The pattern isn't the name of a module, or `*`.
  case notAControl(String)
  /// The pattern isn't a host with or without a port.
  case notAHost(String)
  /// The pattern isn't a path, or leads up.
  case notAPath(String)
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
    case .needlessPattern(let kind): "write \(kind.rawValue) alone"
    case .severalStars(let pattern): "'\(pattern)' has more than one *"
    case .notASlice(let pattern):
      "'\(pattern)' is no slice: write a module's name, navigation, or * for all"
    case .notAControl(let pattern):
      "'\(pattern)' controls nothing: write the first part of the actions' types, such as "
        + "timeline, or * for all"
    case .notAHost(let pattern):
      "'\(pattern)' is no host: write one such as example.com, *.example.com:443 or localhost:8080"
    case .notAPath(let pattern):
      "'\(pattern)' is no path: write one without '..', such as data/, ~/notes/ or /var/log/, or *"
    case .tooLong(let max): "it is longer than \(max) bytes"
    }
  }
}
