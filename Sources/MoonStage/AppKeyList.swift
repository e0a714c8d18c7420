import Moonwire

/// What keys do in the app, by modules and by the person.
struct AppKeyList: Sendable {
  struct Entry: Sendable, Equatable {
    /// The keys, with spaces between them, such as `g i`.
    let keys: String
    /// What they do, in a few words.
    let effect: String
    /// The name of the control that they use; nil if they do something else.
    var tap: String?
    /// Whether they do it on what is shown.
    let isActive: Bool
    /// Whether the inputs of the screen are sent with it.
    let takesInputs: Bool
  }

  private(set) var entries: [Entry] = []
  /// The keys of a sequence pressed so far, with spaces between them.
  private(set) var begun = ""

  /// What becomes of a key.
  enum Verdict: Equatable {
    /// The keys do something.
    case acts(Entry)
    /// More keys are awaited.
    case begins
    case none
  }

  mutating func take(_ record: Value) {
    begun = ""
    entries = (record["keys"]?.listValue ?? List()).compactMap { entry in
      let keys = entry["keys"]?.stringValue ?? ""
      let first = keys.split(separator: " ").first.map(String.init) ?? ""
      // They have another meaning here.
      guard !KeyPress.reservedOnStage.contains(first) else { return nil }
      let effect = entry["title"] ?? entry["tap"] ?? entry["type"] ?? entry["url"]
      return Entry(
        keys: keys, effect: effect?.stringValue ?? "nothing", tap: entry["tap"]?.stringValue,
        isActive: entry["active"] == true, takesInputs: entry["inputs"] == true)
    }
  }

  /// Whether the moves of the focus do something on what is shown.
  var followsFocus: Bool { entries.contains { $0.isActive && $0.keys == KeyPress.focus } }

  /// Forgets the keys of a sequence that was begun.
  mutating func forget() { begun = "" }

  /// Takes a key.
  mutating func press(_ key: StageKey) -> Verdict {
    guard let name = key.name else { return .none }
    let keys = begun.isEmpty ? name : "\(begun) \(name)"
    begun = ""
    let active = entries.filter(\.isActive)
    if let entry = active.first(where: { $0.keys == keys }) { return .acts(entry) }
    guard active.contains(where: { $0.keys.hasPrefix(keys + " ") }) else { return .none }
    begun = keys
    return .begins
  }
}

extension StageKey {
  /// Whether modules can't give the key another meaning.
  var isReserved: Bool { name.map(KeyPress.reservedOnStage.contains) ?? true }

  /// The name that modules call the key by; nil for one without a name.
  var name: String? {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .control(let letter): "ctrl+\(letter)"
    case .function(let number): "f\(number)"
    case .backspace: "backspace"
    case .delete: "delete"
    case .home: "home"
    case .end: "end"
    case .pageUp: "page_up"
    case .pageDown: "page_down"
    case .enter: "enter"
    case .escape: "escape"
    case .tab: "tab"
    case .backTab: "shift+tab"
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    case .wordLeft, .wordRight, .selecting, .other: nil
    }
  }
}
