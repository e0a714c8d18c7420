/// The error of a request of a task that can't be granted.
package struct TaskError: Error, Equatable {
  /// The reason.
  package let text: String

  package init(_ text: String) { self.text = text }
}
