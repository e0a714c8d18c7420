package import MoonValues

/// What a registration throws when the code behind it failed, in whatever language it is written.
package struct CodeFailure: Error {
  /// What happened.
  package let reason: Fault.Reason
  /// Whether the module's code was ended and has to be started again.
  package let isFatal: Bool
  /// Where it happened; nil for the registration's own place.
  package let place: SourcePlace?
  /// How the code came there, innermost first.
  package let frames: [Fault.Frame]
  /// The lines around the place.
  package var excerpt: Excerpt?

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
}
