import MoonServiceKit
import MoonValues
import Synchronization

/// The memory that the arguments of services hold while tasks wait for them, for each module.
///
/// A machine counts what it passes to the host until the call of its code ends, and a module may
/// have many tasks that wait.
final class HeldArguments: Sendable {
  /// The maximum number of bytes of one module.
  static let bytesMax = 64 << 20
  /// The number of bytes from which the arguments of a call are counted.
  static let countedBytesMin = 4 << 10

  private let held = Mutex<[ModuleName?: Int]>([:])

  /// Counts the arguments of a call; returns nil if they are small.
  ///
  /// - Throws: ``ServiceRefusal/argumentsTooLarge(max:)``.
  func hold(_ arguments: [Value?], of module: ModuleName?) throws(ServiceRefusal) -> Share? {
    let bytes = arguments.reduce(0) { $0 + ($1?.storageCost ?? 0) }
    guard bytes >= Self.countedBytesMin else { return nil }
    let hasRoom = held.withLock { held in
      let others = held[module] ?? 0
      guard bytes <= Self.bytesMax - others else { return false }
      held[module] = others + bytes
      return true
    }
    guard hasRoom else { throw .argumentsTooLarge(max: Self.bytesMax) }
    return Share { [self] in release(bytes, of: module) }
  }

  private func release(_ bytes: Int, of module: ModuleName?) {
    held.withLock { held in
      let left = (held[module] ?? 0) - bytes
      held[module] = left > 0 ? left : nil
    }
  }

  /// What one call holds, as long as the object lives.
  final class Share: Sendable {
    private let release: @Sendable () -> Void

    init(_ release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { release() }
  }
}
