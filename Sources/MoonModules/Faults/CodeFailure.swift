package import MoonValues

/// The error that a registration throws when its code fails, whatever language the code is in.
package struct CodeFailure: Error {
  /// The reason for the failure.
  package let reason: Fault.Reason
  /// Whether the module's code was ended and must be restarted.
  package let isFatal: Bool
  /// The place where it failed; nil means the place of the registration.
  package let place: SourcePlace?
  /// The stack of calls that led there, innermost first.
  package let frames: [Fault.Frame]
  /// The lines around the place.
  package var excerpt: Excerpt?
  /// The refusal, if the code refused and hasn't failed.
  package var refusal: Refusal?
  /// The table that the code raised, if it is plain data.
  package var value: Value?

  package init(
    _ reason: Fault.Reason, isFatal: Bool = false, place: SourcePlace? = nil,
    frames: [Fault.Frame] = [], excerpt: Excerpt? = nil
  ) {
    self.reason = reason
    self.isFatal = isFatal
    self.place = place
    self.frames = frames
    self.excerpt = excerpt
  }

  /// Makes a failure from an error that a registration threw.
  package init(thrown error: any Error) {
    if let failure = error as? CodeFailure {
      self = failure
    } else {
      self.init(.raised("\(error)"))
      refusal = error as? Refusal
    }
  }
}
