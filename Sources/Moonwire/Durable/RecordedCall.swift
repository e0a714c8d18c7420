import MoonSession
import MoonValues

/// The form of a call of the host in the log of a durable task.
extension TaskCall {
  /// The maximum number of characters of a name.
  private static let nameMax = 120

  init(_ function: HostFunction, _ arguments: [Value?], at place: String) {
    var name = function == .service ? arguments.text(0) : "\(function)"
    let rest = function == .service ? arguments.dropFirst() : arguments[...]
    if case .string(let text)? = rest.first ?? nil { name += " \(text.string)" }
    // The number of a handle, or of a coroutine, isn't the same in every run.
    let isMethod = function == .service && arguments.text(0).contains(":")
    let hashed = function == .spawn ? [] : isMethod ? rest.dropFirst() : rest
    self.init(
      name: String(name.prefix(Self.nameMax)), hash: Self.hash(of: Array(hashed)), place: place)
  }

  /// The 64-bit FNV-1a hash of arguments.
  private static func hash(of arguments: [Value?]) -> String {
    var bytes: [UInt8] = []
    for argument in arguments {
      if let argument { argument.writeCanonical(into: &bytes) }
      bytes.append(0)
    }
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return String(sum, radix: 16)
  }
}
