import MoonStore

extension Fault {
  /// What was raised, with the place in front, as Lua has it; or the description.
  var messageWithPlace: String {
    guard case .raised(let text) = reason else { return description }
    return place.map { "\($0): \(text)" } ?? text
  }

  /// The fault of a task that has waited.
  ///
  /// If it only passes on how a task has ended that it waited for, it shows the way of both.
  func after(_ wait: Wait?, _ endings: Endings) -> Fault {
    var fault = self
    if case .tasks(let ids, _, _) = wait, case .raised(let text) = reason {
      for id in ids {
        guard case .failed(let other) = endings[id], other.messageWithPlace == text else {
          continue
        }
        fault = Fault(
          module: module, generation: generation, registration: registration, reason: other.reason,
          place: other.place, frames: other.frames + frames, excerpt: other.excerpt, action: action)
        fault.lastWait = other.lastWait
        return fault
      }
    }
    fault.lastWait = wait?.description
    return fault
  }
}
