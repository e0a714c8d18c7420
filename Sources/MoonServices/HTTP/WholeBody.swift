import Moonwire

/// The body of an answer that has been read to its end.
struct WholeBody: Sendable {
  let bytes: [UInt8]
  /// What holds the bytes for the module; nil if they are few.
  let share: HeldMemory.Share?
}
