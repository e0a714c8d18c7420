/// The limits of the storage.
public struct StorageLimits: Hashable, Sendable {
  /// The maximum number of bytes that one module keeps: its keys, its values as text, and
  /// ``entryBytes`` with twice the module's name for each.
  public var moduleBytesMax = 64 << 20
  /// The maximum number of bytes of a key.
  public var keyBytesMax = 1024
  /// The maximum number of bytes of a value's text.
  public var valueBytesMax = 1 << 20
  /// The maximum number of entries on one page of a list.
  public var pageCountMax = 1000
  /// The maximum number of keys that one transaction changes, and the maximum number that it reads.
  public var transactionKeyCountMax = 10_000
  /// The maximum number of seconds to wait for another program that is writing to the file.
  public var busySecondsMax = 5.0
  /// The maximum number of seconds that a repeated transaction waits for another of its module.
  public var turnSecondsMax = 10.0

  /// The number of entries on a page, unless the caller sets another.
  public static let pageCount = 100
  /// The maximum number of attempts at one transaction.
  public static let attemptCountMax = 16
  /// The bytes that an entry takes on the disk beside its key, its value and the module's name.
  public static let entryBytes = 64
  /// The maximum number of entries that are deleted in one write, so that others needn't wait long.
  static let clearedMax = 10_000
  /// The maximum number of connections that read from one file at the same time.
  static let readerCountMax = 4

  /// Makes the default limits.
  public init() {}
}
