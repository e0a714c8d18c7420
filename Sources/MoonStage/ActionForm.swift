import Moonwire

/// The fields of an action that a person has chosen, to be filled in.
struct ActionForm: Sendable {
  /// A field of the action.
  struct Entry: Sendable {
    let name: String
    /// Its type, as declarations write it, such as `integer` or `small|large`.
    let type: String
    let isRequired: Bool
    var field = TextField()

    /// The texts to choose from; empty if any is typed.
    var choices: [String] {
      let words =
        type == "boolean" ? ["true", "false"] : type.split(separator: "|").map(String.init)
      return words.count > 1 ? (isRequired ? words : [""] + words) : []
    }

    /// The value of its text; nil if there is none.
    ///
    /// - Throws: ``Problem``
    func value() throws(Problem) -> Value? {
      let text = field.text
      if text.isEmpty {
        guard !isRequired else { throw .missing }
        return Value?.none
      }
      if type == "string" || !choices.isEmpty && type != "boolean" { return .string(Text(text)) }
      do throws(ParseError) {
        return try Value(parsing: text)
      } catch {
        // Whatever isn't a value is a text where any will do.
        if type == "any" { return .string(Text(text)) }
        throw .malformed(type)
      }
    }

    mutating func choose(_ step: Int) {
      let choices = choices
      guard !choices.isEmpty else { return }
      // Nothing is chosen of what is required at first.
      let place = choices.firstIndex(of: field.text) ?? (step > 0 ? -1 : choices.count)
      field = TextField(choices[(place + step + choices.count) % choices.count])
    }
  }

  /// The reason that a field can't be sent.
  enum Problem: Error {
    case missing
    case malformed(String)

    var text: String {
      switch self {
      case .missing: "is needed"
      case .malformed(let type): "must be of the type \(type)"
      }
    }
  }

  let type: String
  let description: String
  var entries: [Entry]
  private(set) var selected = 0
  /// Why it wasn't sent or was refused; empty if it wasn't.
  var refusal = ""
  var isRunning = false

  /// Makes the form of an action as the host describes it; nil if it has no fields.
  init?(_ record: Value) {
    type = record["type"]?.stringValue ?? ""
    description = record["description"]?.stringValue ?? ""
    entries = (record["fields"]?.listValue ?? List()).map { field in
      Entry(
        name: field["name"]?.stringValue ?? "", type: field["type"]?.stringValue ?? "any",
        isRequired: field["optional"] != true)
    }
    // What must be filled in comes first.
    entries = entries.filter(\.isRequired) + entries.filter { !$0.isRequired }
    guard !entries.isEmpty else { return nil }
  }

  private mutating func move(by step: Int) {
    selected = (selected + step + entries.count) % entries.count
  }

  /// Returns the call that sends it; nil if a field can't be sent, which is then selected.
  private mutating func call() -> StageCall? {
    refusal = ""
    var payload = Map()
    for index in entries.indices {
      let name = entries[index].name
      do throws(Problem) {
        if let value = try entries[index].value() { payload[.string(Text(name))] = value }
      } catch {
        (selected, refusal) = (index, "\(name) \(error.text)")
        return nil
      }
    }
    return StageCall(
      .form, "action/dispatch", ["type": .string(Text(type)), "payload": .map(payload)])
  }
}

/// What follows from keys.
extension ActionForm {
  enum Verdict {
    case taken, wrong, closed
    case sends(StageCall)
  }

  private var hasChoices: Bool { !entries[selected].choices.isEmpty }

  mutating func press(_ key: StageKey) -> Verdict {
    switch key {
    case .escape: return .closed
    case _ where isRunning: return .wrong
    case .tab, .down: move(by: 1)
    case .backTab, .up: move(by: -1)
    case .enter where selected < entries.count - 1: move(by: 1)
    case .enter, .control("s"):
      guard let call = call() else { return .wrong }
      isRunning = true
      return .sends(call)
    case .right where hasChoices, .character(" ") where hasChoices: entries[selected].choose(1)
    case .left where hasChoices: entries[selected].choose(-1)
    case _ where hasChoices: return .wrong
    default:
      refusal = ""
      return entries[selected].field.take(key) ? .taken : .wrong
    }
    return .taken
  }

  /// Inserts a pasted text; returns whether all of it has room.
  mutating func paste(_ text: String) -> Bool {
    !hasChoices && entries[selected].field.insert(text)
  }
}
