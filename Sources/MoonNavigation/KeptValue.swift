package import MoonValues
import Synchronization

/// A value that is made when first asked for and then kept, as a part of an object.
///
/// An `AtomicLazyReference` takes 570 instructions to read, since it isn't specialized.
package struct KeptValue: ~Copyable {
  private final class Made: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  /// A retained `Made`.
  private let made = Atomic<UnsafeRawPointer?>(nil)

  package init() {}

  deinit {
    if let address = made.load(ordering: .acquiring) {
      Unmanaged<Made>.fromOpaque(address).release()
    }
  }

  /// The value, if it was made.
  package var value: Value? {
    made.load(ordering: .acquiring).map {
      Unmanaged<Made>.fromOpaque($0)._withUnsafeGuaranteedRef(\.value)
    }
  }

  /// Keeps a value unless there is one; returns the one that is kept.
  package func keep(_ value: Value) -> Value {
    let owned = Unmanaged.passRetained(Made(value))
    let (isFirst, _) = made.compareExchange(
      expected: nil, desired: UnsafeRawPointer(owned.toOpaque()),
      ordering: .acquiringAndReleasing)
    if isFirst { return value }
    owned.release()
    return self.value ?? value
  }
}

// Sendable: an atomic that is set once, to a reference to an immutable object, which is held until
// the end.
extension KeptValue: @unchecked Sendable {}
