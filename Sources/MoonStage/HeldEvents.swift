import Moonwire

/// What a person does while something done before isn't shown yet, to be taken once it is.
struct HeldEvents {
  /// The maximum number of events that wait.
  private static let countMax = 1_000

  private var events: [StageEvent] = []
  /// The number of calls awaited that end once what was done before them is shown.
  private var settlingCount = 0
  private(set) var isActing = false

  /// Whether something is done that isn't shown yet.
  var isSettling: Bool { settlingCount > 0 }

  /// Adds an event; returns false if too many wait.
  mutating func add(_ event: StageEvent) -> Bool {
    guard events.count < Self.countMax else { return false }
    events.append(event)
    return true
  }

  /// Adds a key that waits, and all that follow it, if something is done that isn't shown yet.
  mutating func hold(_ key: StageKey) { if isSettling, add(.key(key)) { isActing = true } }

  mutating func drop() { events = [] }

  /// Returns what has waited.
  mutating func take() -> [StageEvent] {
    defer { events = [] }
    return events
  }

  /// Adds a call to effects that ends once what they do is shown.
  mutating func follow(_ effects: [StageEffect]) -> [StageEffect] {
    func has(_ purpose: StageCall.Purpose) -> Bool {
      effects.contains { if case .call(let call) = $0 { call.purpose == purpose } else { false } }
    }
    // What keys do on another screen must be known before they are pressed there.
    guard has(.act) || has(.focus) || has(.keys) else { return effects }
    if has(.act) { isActing = true }
    settlingCount += 1
    return effects + [.call(StageCall(.settle, "screen/settle"))]
  }

  /// Adds a call to the first effects of all that ends once something is shown.
  mutating func followBeginning(_ effects: [StageEffect]) -> [StageEffect] {
    isActing = true
    return follow(effects)
  }

  /// Takes the end of such a call.
  mutating func settle() {
    settlingCount = max(0, settlingCount - 1)
    if settlingCount == 0 { isActing = false }
  }
}

extension StageEvent {
  /// Whether it acts on what is shown.
  var actsOnApp: Bool {
    switch self {
    case .key(.control("c")), .key(.control("l")), .key(.control("q")), .key(.control("z")): false
    case .key, .paste, .press: true
    default: false
    }
  }
}
