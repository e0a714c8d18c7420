public import MoonValues

/// The result of a service's function.
///
/// Besides values, it can hold strings of any bytes, also within tables.
public enum ServiceResult: Sendable {
  /// Nil in Lua.
  case nothing
  /// A copy of a value.
  case value(Value)
  /// A string of Lua with any bytes.
  case bytes([UInt8])
  /// A list.
  case list([ServiceResult])
  /// A table with keys; fields that are ``nothing`` are left out.
  case fields([(name: String, content: ServiceResult)])
  /// Several results of the function, as in `local status, body = …`.
  case several([ServiceResult])
  /// A result whose bytes are held for the module already.
  case held(HeldResult)

  /// A text.
  public static func string(_ text: String) -> Self { .value(.string(Text(text))) }
  /// A text, or nothing.
  public static func string(_ text: String?) -> Self { text.map { string($0) } ?? .nothing }
  /// An integer.
  public static func integer(_ number: Int) -> Self { .value(.int(Int64(number))) }
  /// A number; ``nothing`` for one that is not a number.
  public static func number(_ number: Double) -> Self {
    number.isNaN ? .nothing : .value(.double(number))
  }
  /// True or false.
  public static func boolean(_ flag: Bool) -> Self { .value(.bool(flag)) }

  /// The approximate size in bytes.
  package var byteCount: Int {
    switch self {
    case .nothing: 0
    case .value(let value): value.storageCost
    case .bytes(let bytes): bytes.count
    case .list(let elements), .several(let elements): elements.reduce(16) { $0 + $1.byteCount }
    case .fields(let fields): fields.reduce(16) { $0 + $1.name.utf8.count + $1.content.byteCount }
    case .held(let held): held.result.byteCount
    }
  }

  /// Returns the result with the share that holds its bytes, which is released once the module's
  /// code has taken them; as it is if they are too few to count.
  package func held(by share: HeldMemory.Share?) -> Self {
    share.map { .held(HeldResult(result: self, share: $0)) } ?? self
  }
}

/// A result with the share that holds its bytes.
public final class HeldResult: Sendable {
  package let result: ServiceResult
  private let share: HeldMemory.Share

  fileprivate init(result: ServiceResult, share: HeldMemory.Share) {
    self.result = result
    self.share = share
  }
}
