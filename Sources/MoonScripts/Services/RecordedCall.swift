import MoonTasks
import MoonValues

/// The form of a call of the host in the log of a durable task.
extension TaskCall {
  /// The maximum number of characters of a name.
  private static let nameMax = 120

  /// Makes the entry of a call; `hashed` are the arguments that are the same in every run.
  init(
    _ function: String, about arguments: [Value?], hashing hashed: [Value?]? = nil, at place: String
  ) {
    var name = function
    if case .string(let text)? = arguments.first ?? nil { name += " \(text.string)" }
    self.init(
      name: String(name.prefix(Self.nameMax)), hash: Self.hash(of: hashed ?? arguments),
      place: place)
  }

  /// Makes the entry of a call of a service, whose name comes first.
  init(ofService arguments: [Value?], at place: String) {
    let path = (arguments.first ?? nil)?.stringValue ?? ""
    let rest = Array(arguments.dropFirst())
    // The number of a handle isn't the same in every run.
    let hashed = path.contains(":") ? Array(rest.dropFirst()) : rest
    self.init(path, about: rest, hashing: hashed, at: place)
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
