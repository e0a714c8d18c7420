import Moonwire

extension Service {
  /// The sensors of a house, which modules read with `moon.sensor.read(room)`.
  static let sensor = Service(
    "sensor", "Reads the temperature of rooms.",
    functions: [
      .asynchronous(
        "read", "Waits for a sensor, and returns the temperature in degrees Celsius.",
        .string("room"), .option(.number("offset", in: -5...5), or: 0), returns: "number"
      ) { call, room, offset in
        guard let celsius = try await House.temperature(of: room) else {
          throw SensorFailure.noSensor(room)
        }
        return .number(celsius + offset)
      }
    ])
}

/// The reason that a sensor can't be read.
enum SensorFailure: ServiceFailure {
  case noSensor(String)

  var code: String { "no_sensor" }
  var description: String {
    switch self {
    case .noSensor(let room): "there is no sensor in the \(room)"
    }
  }
}

/// What a program would ask over a bus or a network.
enum House {
  static func temperature(of room: String) async throws -> Double? {
    ["cellar": 14.5, "kitchen": 22][room]
  }
}
