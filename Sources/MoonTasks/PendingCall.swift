package import MoonServiceKit
package import MoonValues

/// A call of an observer that isn't due yet.
package protocol PendingCall: AnyObject {
  /// The observer's module.
  var owner: ModuleName { get }
  /// The place of the observer in the order of all.
  var order: Int { get }
  /// Adds a change; `old` is the value before it.
  func add(_ old: Value?)
  /// Calls the observer now if something has changed since its last call.
  func deliverNow()
}
