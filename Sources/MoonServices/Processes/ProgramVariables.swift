import Glibc
import Moonwire

/// The variables of a program: the host's that are passed on, and the script's own.
///
/// Those of the script need `env:NAME`: the loader, shells and interpreters run what variables such
/// as `LD_PRELOAD` and `BASH_ENV` name, which no list can have all of.
struct ProgramVariables {
  private let values: [String: String]

  /// The host's variables that programs receive: who and where they are, language and time zone.
  ///
  /// Others may hold secrets.
  private static let passedOn = [
    "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY",
    "LC_NUMERIC", "LC_TIME", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER",
  ]

  /// The variables that need no grant unless their values may lead to a file, since they decide on
  /// nothing but how texts look.
  private static let harmless: Set<String> = [
    "CLICOLOR", "COLUMNS", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES",
    "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "LINES", "NO_COLOR", "TERM", "TZ",
  ]

  /// - Throws: ``ProcessFailure`` or ``GrantRefusal``.
  init(adding own: Map, _ call: ServiceCall) throws {
    var values: [String: String] = [:]
    for name in Self.passedOn { values[name] = getenv(name).map { String(cString: $0) } }
    for (key, value) in own {
      guard case .string(let text) = key, Self.isVariable(text.string) else {
        throw ProcessFailure.badVariable("\(key)")
      }
      let name = text.string
      switch value {
      case .string(let content) where !content.string.utf8.contains(0):
        if !Self.harmless.contains(name) || Self.mayLeadToFile(content.string) {
          try call.require(.variable(name))
        }
        values[name] = content.string
      case .bool(false): values[name] = nil
      default: throw ProcessFailure.badVariable(name)
      }
    }
    self.values = values
  }

  /// `NAME=value` for each, in UTF-8 with a NUL byte at the end.
  var texts: [[UInt8]] { values.map { Array("\($0)=\($1)".utf8) + [0] } }

  private static func isVariable(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
    return !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "=") }
  }

  /// Returns whether the system's libraries may open a file of the module's choice for a value.
  ///
  /// `TZ=:x` and `LANGUAGE=../x` lead to any file, and a catalog of messages holds formats, with
  /// which a program reads and writes its memory. A slash is allowed only in what may be the name
  /// of a time zone, such as `Europe/Paris`.
  private static func mayLeadToFile(_ value: String) -> Bool {
    let bytes = value.utf8
    if bytes.first == UInt8(ascii: ":") || bytes.first == UInt8(ascii: ".") { return true }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count > 1 else { return value.contains("..") }
    return !parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isInZoneName) }
  }

  private static func isInZoneName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
