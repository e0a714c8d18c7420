/// What a session knows of its tasks without asking their scheduler.
///
/// Most sessions have no tasks, and so no scheduler.
package struct TaskMarks {
  /// Whether any is ready.
  var areReady = false
  /// Whether any waits for an action or for a change of the state.
  var areWaiting = false
  /// Whether modules may make requests.
  package var requestSwitch = RequestSwitch()
}
