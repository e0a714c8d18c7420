import MoonPrompt
import Moonwire

/// One limit as written on the command line: `counter:reducer=50ms`, `memory=16MB`.
///
/// Without the name of a module, it applies to all modules that have no limit of their own.
struct LimitSetting: Equatable, Sendable {
  /// The kind of limit.
  enum Kind: RawRepresentable, CaseIterable, Equatable, Sendable {
    /// The time of one call of this kind.
    case time(CallKind)
    case memory, state, faults, tasks
    /// The maximum life of a task.
    case life
    /// The maximum time in which a routing guard must answer.
    case guardTime

    static let allCases: [Self] =
      CallKind.allCases.map { .time($0) } + [.memory, .state, .faults, .tasks, .life, .guardTime]

    init?(rawValue: String) {
      guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
      self = known
    }

    /// The word on the command line.
    var rawValue: String {
      switch self {
      case .time(let kind): kind.rawValue
      case .memory: "memory"
      case .state: "state"
      case .faults: "faults"
      case .tasks: "tasks"
      case .life: "life"
      case .guardTime: "guard"
      }
    }

    /// The units of the amount, in milliseconds or bytes.
    var units: [(name: String, size: Int)] {
      switch self {
      case .time, .life, .guardTime: [("ms", 1), ("s", 1_000)]
      case .memory, .state: [("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30)]
      case .faults, .tasks: [("", 1)]
      }
    }
  }

  /// The module; nil for all modules.
  let module: ModuleName?
  let kind: Kind
  /// The amount in milliseconds, in bytes or as a count; 0 for no limit.
  let amount: Int

  /// The largest number before a unit.
  static let numberMax = 1_000_000_000
  /// The word for no limit.
  static let none = "off"

  /// Reads `[module:]what=amount`.
  ///
  /// - Throws: ``LimitError``
  init(parsing text: String) throws(LimitError) {
    guard let equals = text.firstIndex(of: "=") else { throw .noAmount }
    let (left, right) = (text[..<equals], String(text[text.index(after: equals)...]))
    var word = String(left)
    var module: ModuleName?
    if let colon = left.firstIndex(of: ":") {
      let name = String(left[..<colon])
      guard let valid = ModuleName(name) else { throw .notAModuleName(name) }
      module = valid
      word = String(left[left.index(after: colon)...])
    }
    guard let kind = Kind(rawValue: word) else {
      throw .unknown(
        word, nearest: Spelling.nearest(to: word, in: Kind.allCases.map(\.rawValue)))
    }
    self.module = module
    self.kind = kind
    amount = try Self.amount(right, of: kind)
  }

  private static func amount(_ text: String, of kind: Kind) throws(LimitError) -> Int {
    if text == none { return 0 }
    let digits = text.prefix { ("0"..."9").contains($0) }
    let unit = text.dropFirst(digits.count)
    guard let number = Int(digits), (1...numberMax).contains(number),
      let size = kind.units.first(where: { $0.name.lowercased() == unit.lowercased() })?.size
    else { throw .notAnAmount(text, of: kind) }
    return number * size
  }

  /// Applies the limit to a host's options.
  func set(in options: inout HostOptions) {
    guard let module else { return setForAll(in: &options) }
    var limits = options.limits[module] ?? ModuleLimits()
    switch kind {
    case .time(let kind): limits.budgets[kind] = .milliseconds(amount)
    case .memory: limits.memoryQuota = amount
    case .state: limits.stateQuota = amount
    case .faults: limits.faultsMax = amount
    case .tasks: limits.tasksMax = amount
    case .life: limits.taskLife = .milliseconds(amount)
    case .guardTime: limits.guardTime = .milliseconds(amount)
    }
    options.limits[module] = limits
  }

  private func setForAll(in options: inout HostOptions) {
    switch kind {
    case .time(let kind): options.budgets[kind] = .milliseconds(amount)
    case .memory: options.memoryQuota = amount
    case .state: options.stateQuota = amount
    case .faults: options.faultsMax = amount
    case .tasks: options.tasks.countMax = amount
    case .life: options.tasks.lifeMax = .milliseconds(amount)
    case .guardTime: options.tasks.guardTimeMax = .milliseconds(amount)
    }
  }
}

/// The reason that a text isn't a limit.
enum LimitError: Error, Equatable, Sendable {
  /// There is no `=`.
  case noAmount
  /// The text before the colon isn't the name of a module.
  case notAModuleName(String)
  /// There is no limit of this name.
  case unknown(String, nearest: String?)
  /// The amount has the wrong unit.
  case notAnAmount(String, of: LimitSetting.Kind)
}

extension LimitError: CustomStringConvertible {
  /// One sentence: the mistake, and the form of a limit.
  var description: String {
    switch self {
    case .noAmount: "write [module:]what=amount, as in counter:reducer=50ms or memory=16MB"
    case .notAModuleName("*"): "for all modules leave the name out, as in memory=16MB"
    case .notAModuleName(let name): "'\(name)' can't be a module's name"
    case .unknown(let word, let nearest):
      "there is no limit '\(word)'"
        + (nearest.map { "; did you mean \($0)?" }
          ?? ": there are \(Wording.list(LimitSetting.Kind.allCases.map(\.rawValue)))")
    case .notAnAmount(let text, let kind):
      "'\(text)' can't be an amount of \(kind.rawValue): write one such as \(kind.sample), or"
        + " \(LimitSetting.none) for no limit"
    }
  }
}

extension LimitSetting.Kind {
  fileprivate var sample: String {
    switch self {
    case .time(.load): "2s"
    case .time: "50ms"
    case .memory, .state: "16MB"
    case .faults: "20"
    case .tasks: "100"
    case .life, .guardTime: "30s"
    }
  }
}

extension LimitSetting {
  /// Returns the report on a limit for a module that doesn't exist.
  static func waitReport(for name: ModuleName, nearest: String?) -> Report {
    Report(.warning, "there is no module \(name) yet: its limits wait for it").adding(
      Report.Row.suggestion(nearest))
  }
}
