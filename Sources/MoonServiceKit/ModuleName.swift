/// The name of a module: a letter, then letters, digits and `_`, all ASCII, 64 characters at most.
///
/// It names the module's file and slice, and is the first part of its action types. The host
/// reserves `api`, `crash`, `host`, `nav`, `navigation` and `prompt`.
public struct ModuleName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name as text.
  public let text: String

  /// The maximum length in characters.
  package static let lengthMax = 64
  /// The reserved names: those of the host's own actions, of the slice that holds the navigation,
  /// and of what is typed at the prompt.
  package static let taken: Set<String> = ["api", "crash", "host", "nav", "navigation", "prompt"]
  /// The names of the built-in modules, which no script can take, whether or not they are in
  /// service.
  package static let builtIn: Set<String> = [
    "action_blocker", "action_blocklist", "animation_blocker", "crash_detector", "lifecycle",
    "logger", "recorder", "reporter", "retriever", "timeline",
  ]
  /// The actions that the host announces under a name that modules may have.
  package static let announced: Set<String> = [
    "app/memory_warning", "app/resumed", "app/started", "app/suspended", "app/will_terminate",
  ]
  /// The owner of the built-in routing presenters.
  package static let navigation = ModuleName(unchecked: "nav")
  /// The owner of what is typed at the prompt.
  package static let prompt = ModuleName(unchecked: "prompt")

  /// Validates a name; nil if it isn't valid.
  public init?(_ text: String) {
    let bytes = text.utf8
    guard let first = bytes.first, bytes.count <= Self.lengthMax, !Self.taken.contains(text),
      Self.isLetter(first),
      bytes.allSatisfy({ Self.isLetter($0) || $0 == UInt8(ascii: "_") || (48...57).contains($0) })
    else { return nil }
    self.text = text
  }

  /// Makes a name of a literal in a program, which must be valid.
  public init(literal: StaticString) {
    guard let name = ModuleName("\(literal)") else {
      preconditionFailure("'\(literal)' isn't a valid name of a module")
    }
    self = name
  }

  private init(unchecked text: String) { self.text = text }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }

  /// Orders names by their bytes.
  ///
  /// The host always handles modules in this order.
  public static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// The name as text.
  public var description: String { text }
}
