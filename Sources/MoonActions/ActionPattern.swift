public import MoonValues

/// The actions that a registration listens to: one type, a family, or all.
public enum ActionPattern: Sendable, Hashable, CustomStringConvertible {
  /// One type: `counter/add`.
  case exact(Text)
  /// All types with a prefix: `todo/` for `todo/*`.
  case family(prefix: Text)
  /// All: `*`.
  case all

  /// Reads a pattern as a module writes it; nil if it isn't one.
  ///
  /// `add` is the owner's own `owner/add`, `other/add` another module's, `other/*` a family of
  /// them, `*` all. A star elsewhere isn't a pattern.
  package init?(_ text: String, owner: String) {
    if text == "*" {
      self = .all
      return
    }
    let absolute = text.utf8.contains(UInt8(ascii: "/")) ? text : "\(owner)/\(text)"
    let isFamily = absolute.hasSuffix("/*")
    let head = isFamily ? String(absolute.dropLast()) : absolute
    guard ActionPattern.isType(isFamily ? head + "x" : head) else { return nil }
    self = isFamily ? .family(prefix: Text(head)) : .exact(Text(head))
  }

  /// Whether an action of that type matches.
  ///
  /// - Complexity: O(length of the type).
  public func matches(_ type: Text) -> Bool {
    switch self {
    case .exact(let exact): exact == type
    case .family(let prefix): type.hasPrefix(prefix)
    case .all: true
    }
  }

  /// Whether a text can be the type of an action: two or more names, separated by slashes.
  ///
  /// Names consist of letters, digits, `_`, `-` and `.`, all ASCII.
  package static func isType(_ text: String) -> Bool {
    let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return names.count >= 2
      && names.allSatisfy { name in
        !name.isEmpty
          && name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
              UInt8(ascii: "."):
              true
            default: false
            }
          }
      }
  }

  /// The pattern in its absolute form.
  public var description: String {
    switch self {
    case .exact(let type): type.string
    case .family(let prefix): "\(prefix)*"
    case .all: "*"
    }
  }
}

extension ActionPattern: ExpressibleByStringLiteral {
  /// Makes a pattern of a literal: `counter/add`, `counter/*` or `*`.
  ///
  /// A type that no action can have matches none.
  public init(stringLiteral text: String) {
    self = ActionPattern(text, owner: "") ?? .exact(Text(text))
  }
}
