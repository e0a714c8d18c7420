import Glibc
public import Moonwire

extension Service {
  /// Environment variables by name, as `moon.env`.
  public static let environment = Service(
    "env", "Reads variables of the environment, which needs `env:NAME`.",
    functions: [
      .immediate(
        "get", "Returns a variable; nil if it isn't set.", .string("name"), returns: "string?"
      ) { call, name in
        guard !name.isEmpty, !name.contains("="), !name.contains("\0") else {
          throw EnvironmentFailure.notAName
        }
        try call.require(.variable(name))
        guard let value = getenv(name) else { return .nothing }
        return .bytes(
          Array(UnsafeBufferPointer(start: value, count: strlen(value))).map {
            UInt8(bitPattern: $0)
          })
      }
    ])
}

/// The reason that a text isn't a variable.
enum EnvironmentFailure: ServiceFailure {
  case notAName

  var code: String { "bad_argument" }
  var description: String { "a variable has a name without =" }
}
