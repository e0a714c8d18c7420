import MoonLua
import MoonStore
import MoonValues

extension Fault {
  /// Makes a fault of what a call into Lua threw.
  init(
    _ error: LuaError, module: String, generation: Int, registration: Registration,
    action: Action? = nil
  ) {
    let reason: Reason =
      switch error {
      case .runtime(let report): .raised(report.message)
      case .syntax(let report, let isIncomplete):
        .syntax(report.message, isIncomplete: isIncomplete)
      case .timedOut(_, let budget): .timedOut(milliseconds: Int(budget))
      case .interrupted: .interrupted
      case .memoryExceeded(_, let bytes): .outOfQuota(bytes: bytes)
      case .outOfMemory: .outOfMemory
      case .machineIsDead, .machineIsBusy: .notRunning
      }
    self.init(
      module: module, generation: generation, registration: registration, reason: reason,
      place: error.report?.place ?? registration.place,
      frames: (error.report?.frames ?? []).map { Frame(place: $0.place, function: $0.function) },
      excerpt: nil, action: action)
  }

  /// Makes a fault of what a registration in Swift threw.
  init(
    describing error: any Error, module: String, generation: Int, registration: Registration,
    action: Action?
  ) {
    self.init(
      module: module, generation: generation, registration: registration,
      reason: .raised("\(error)"), place: registration.place, frames: [], excerpt: nil,
      action: action)
  }
}

extension DispatchError {
  /// Says what a queue has too much of.
  init(_ full: ActionQueueFull) {
    self =
      switch full {
      case .count: .queueFull(max: ActionQueue<Action>.countMax)
      case .bytes: .queueTooLarge(maxBytes: ActionQueue<Action>.bytesMax)
      }
  }

  /// One line, for a script that tried to dispatch.
  var sentence: String {
    switch self {
    case .malformedType(let type):
      """
      '\(type)' can't be the type of an action: write names separated by a slash, such as \
      "counter/add"
      """
    case .unknownType(let type, let nearest):
      "no module knows the action '\(type)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    case .invalidPayload(let type, let problems, _):
      "the payload doesn't fit '\(type)': "
        + problems.map(\.sentence).joined(separator: "; ")
    case .fault(let fault):
      switch fault.reason {
      case .raised(let text), .syntax(let text, _):
        "\(fault.who) failed: \(text)"
      case .timedOut(let milliseconds):
        "\(fault.who) ran longer than \(milliseconds) ms"
      case .outOfQuota(let bytes):
        "\(fault.module) used more than \(bytes >> 20) MB of memory"
      case .interrupted: "\(fault.module) was stopped"
      case .outOfMemory: "there is no memory left for \(fault.module)"
      case .notRunning: "\(fault.module) isn't running"
      }
    case .mappedTooOften(let chain, let max):
      "module mappers made more than \(max) steps of one action: "
        + chain.joined(separator: " → ")
    case .navigatedTooOften(let chain, let max):
      "one action has led to more than \(max) navigations: … → "
        + chain.joined(separator: " → ")
    case .fromView: "a view only shows: let a person's tap dispatch"
    case .routing(let error): error.sentence
    case .navigation(let problem): problem.sentence
    case .suspended(let module): "\(module) is suspended: it failed too often in a row"
    case .queueFull(let max): "\(max) actions are waiting already"
    case .queueTooLarge(let max):
      "with this one the actions that wait would have more than \(max >> 20) MB"
    case .tooManyFollowing(let max): "one action has led to more than \(max) others"
    case .followingTooLong(let max):
      "what one action has led to has taken more than \(max.components.seconds) s"
    case .interrupted: "it was stopped"
    case .noSession: "the session is closed"
    }
  }
}

extension Fault {
  /// Which registration of which module.
  fileprivate var who: String {
    "\(registration.kind.rawValue) \(registration.name) of \(module)"
  }
}

extension PayloadProblem {
  /// A few words.
  public var sentence: String {
    switch self {
    case .notFields(let value): "expected a table with fields, got \(value.kind)"
    case .missing(let field): "'\(field.name)' is missing (\(field.type))"
    case .wrongType(let field, let value):
      "'\(field.name)' must be \(field.type), not \(value.kind)"
    case .unknown(let name, let nearest):
      "there is no field '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }
  }
}

extension Value {
  /// What a person would call it.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .int: "an integer"
    case .double: "a number"
    case .string: "a string"
    case .list: "a list"
    case .map: "a map"
    }
  }
}
