import Moonwire

/// The expected state, computed beside the host by additions alone.
struct Model: Sendable {
  var count: Int64 = 0
  var items: [Int64] = []
  var added: Int64 = 0
  var seen: Int64 = 0
  var heard: Int64 = 0
  var victim: Int64 = 0
  var guest: Int64 = 0
  var lastID: Int64 = 0

  /// Returns the first difference from a state; nil if there is none.
  ///
  /// A module that is gone has no slice. Its slice returns with it.
  func difference(from state: Value?) -> String? {
    guard let state else { return "there is no session" }
    let numbers: [(String, Value?, Int64)] = [
      ("tally.count", state["tally"]?["count"], count),
      ("mirror.added", state["mirror"]?["added"], added),
      ("mirror.seen", state["mirror"]?["seen"], seen),
      ("mirror.heard", state["mirror"]?["heard"], heard),
      ("audit.added", state["audit"]?["added"], added),
      ("audit.heard", state["audit"]?["heard"], heard),
      ("victim.n", state["victim"] == nil ? .int(victim) : state["victim"]?["n"], victim),
      ("guest.n", state["guest"] == nil ? .int(guest) : state["guest"]?["n"], guest),
    ]
    for (path, found, expected) in numbers where found != .int(expected) {
      return "\(path) is \(found.map { "\($0)" } ?? "gone") and should be \(expected)"
    }
    let found = state["tally"]?["items"]?.listValue.map { $0.map { $0.intValue ?? -1 } } ?? []
    return found == items ? nil : "tally.items is \(found) and should be \(items)"
  }
}

/// The actions of the storm.
enum Move: CaseIterable {
  case add, push, succeed, fail, hurt, visit, unknown

  /// Returns a random action, mostly one for the healthy modules.
  static func random(_ random: inout Randomness) -> Move {
    switch random.number(0..<100) {
    case 0..<45: .add
    case 45..<70: .push
    case 70..<84: .succeed
    // Rare, because 20 failures in the last 50 calls would suspend the module.
    case 84: .fail
    case 85..<89: .hurt
    case 89..<98: .visit
    default: .unknown
    }
  }

  /// Returns the action, and updates the model for the case that it is accepted.
  func action(_ model: inout Model, state: Value?, by number: Int64) -> Action {
    switch self {
    case .add:
      model.count += number
      model.added += 1
      model.seen += 1
      return Action("tally/add", ["by": .int(number)])
    case .push:
      model.lastID += 1
      model.items.append(model.lastID)
      if model.items.count > Scripts.itemsMax { model.items.removeFirst() }
      return Action("tally/push", ["id": .int(model.lastID)])
    case .succeed: return Action("tally/maybe", ["bad": false])
    case .fail: return Action("tally/maybe", ["bad": true])
    case .hurt:
      model.heard += 1
      if state?["victim"] != nil { model.victim += 1 }
      return Action("victim/add")
    case .visit:
      model.guest += 1
      return Action("guest/add")
    case .unknown: return Action("tally/nothing")
    }
  }

  /// Whether an error is one that this action may cause.
  func permits(_ error: DispatchError, guestIsHere: Bool) -> Bool {
    switch (self, error) {
    case (.add, _), (.push, _), (.succeed, _): return false
    case (.fail, .fault(let fault)):
      if case .raised(let text) = fault.reason { return text.contains("as asked") }
      return false
    case (.hurt, .fault(let fault)): return fault.module == "victim"
    case (.hurt, .suspended(let name)): return name.text == "victim"
    case (.visit, .unknownType): return !guestIsHere
    case (.unknown, .unknownType): return true
    default: return false
    }
  }

  /// Whether the action may be accepted.
  var mayBeAccepted: Bool { self != .fail && self != .unknown }
}
