public import MoonActions
public import MoonValues

/// The fields of options: `animated` and `window` are for the navigation, the others for the code
/// that draws the screen.
extension RoutingOption {
  /// The fields of options of every kind.
  private static let common = [
    ("animated", "boolean?"), ("duration", "number?"), ("in_tab", "string?"),
    ("over_modal", "string?"), ("style", "string?"), ("transition", "string?"),
    ("window", "string?"),
  ]
  private static let once = ("once", "boolean?")
  /// The additional fields of the built-in kinds.
  private static let own: [Text: [(String, String)]] = [
    "push": [once], "modal": [once, ("stack", "boolean?")], "show": [once], "root": [],
    "detail": [], "replace": [], "back_to": [], "none": [],
  ]
  /// The words that fields take.
  private static let words: [(field: Key, words: [String])] = [
    ("in_tab", InTab.allCases.map(\.rawValue)), ("over_modal", OverModal.allCases.map(\.rawValue)),
  ]
  /// The kinds whose screens can be shown once only.
  static let kindsOnce: Set<Text> = ["push", "modal", "show"]
  private static let schemas: [Text: PayloadSchema] = own.mapValues { schema(common + $0) }
  private static let commonSchema = schema(common)

  private static func schema(_ fields: [(String, String)]) -> PayloadSchema {
    PayloadSchema(fields: fields.compactMap { PayloadSchema.Field(name: $0.0, type: $0.1) })
  }

  /// The fields that a screen keeps for the code that draws it.
  static let presentationKeys: [Key] = ["duration", "style", "transition"]

  /// Checks the fields; a module's own kind may have others besides the common ones.
  func check() throws(RoutingOptionError) {
    let schema = Self.schemas[kind]
    var problems = (schema ?? Self.commonSchema).problems(in: .map(fields))
    if schema == nil {
      problems.removeAll { if case .unknown = $0 { true } else { false } }
    }
    if let problem = problems.first {
      let known = (schema ?? Self.commonSchema).fields.map(\.name)
      throw .wrongField(kind: kind, problem, known: known)
    }
    for (field, words) in Self.words {
      guard let word = fields[field]?.textValue?.string, !words.contains(word) else { continue }
      throw .wrongWord(kind: kind, field: field.description, found: word, known: words)
    }
    guard let duration = fields["duration"], duration != .null else { return }
    switch duration {
    case .int(let seconds) where seconds >= 0: return
    case .double(let seconds) where seconds >= 0 && seconds.isFinite: return
    default: throw .wrongDuration(kind: kind, duration)
    }
  }
}

/// The reason that a value isn't a routing option.
public enum RoutingOptionError: Error, Sendable, Equatable {
  /// The value is neither a table with the kind under `option` nor the kind alone.
  case notAnOption(found: String)
  /// A field has the wrong type, or isn't one that the kind has.
  case wrongField(kind: Text, PayloadProblem, known: [String])
  /// A field has a word that it doesn't take.
  case wrongWord(kind: Text, field: String, found: String, known: [String])
  /// The duration is no number of seconds.
  case wrongDuration(kind: Text, Value)
}

extension RoutingOptionError: CustomStringConvertible {
  /// One sentence: the option, the problem, and the valid fields.
  public var description: String {
    switch self {
    case .notAnOption(let found): "an option is made by moon.push() and the like, not \(found)"
    case .wrongField(let kind, let problem, let known):
      switch problem {
      case .unknown(let name, nil):
        "the option \(kind) has no field '\(name)': it takes \(Wording.list(known))"
      default: "the option \(kind): \(problem)"
      }
    case .wrongWord(let kind, let field, let found, let known):
      "the option \(kind): '\(field)' is \(Wording.list(known, "or")), not '\(found)'"
    case .wrongDuration(let kind, let value):
      "the option \(kind): 'duration' is a number of seconds, 0 or more, not "
        + value.canonicalText
    }
  }
}
