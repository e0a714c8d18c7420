package import MoonModules

extension Fault {
  /// The raised message with its place in front, as in Lua; for other reasons the description.
  package var messageWithPlace: String {
    guard case .raised(let text) = reason else { return description }
    return place.map { "\($0): \(text)" } ?? text
  }

  /// Returns the fault with the last wait of its task.
  ///
  /// If the task only raised the message of an awaited task that failed, the result is the fault of
  /// that task, with the frames of both.
  package func after(_ wait: Wait?, _ endings: TaskEndings) -> Fault {
    var fault = self
    if case .tasks(let ids, _, _) = wait, case .raised(let text) = reason {
      for id in ids {
        // An error value that isn't a string has no place in it.
        guard case .failed(let other) = endings[id],
          other.messageWithPlace == text || other.reason == reason
        else { continue }
        fault = Fault(
          module: module, generation: generation, registration: registration, reason: other.reason,
          place: other.place, frames: other.frames + frames, excerpt: other.excerpt, action: action)
        fault.lastWait = other.lastWait
        fault.refused = refused
        return fault
      }
    }
    fault.lastWait = wait?.description
    return fault
  }
}
