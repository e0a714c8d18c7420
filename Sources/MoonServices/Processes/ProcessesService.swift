public import Moonwire
import Subprocess

extension Service {
  /// Programs, as `moon.processes`.
  ///
  /// There is no shell: arguments reach the program as they are. A process ends with the task that
  /// started it, and so do its children in the same process group.
  public static let processes = Service(
    "processes", "Runs programs that are granted.",
    functions: [
      .asynchronous(
        "run", "Runs a program to its end, and returns what it wrote and how it ended.",
        .strings("command", "The program and its arguments"), .option(.bytes("input")),
        .option(.string("directory", "Where to run; otherwise in the script directory")),
        .option(.map("environment", "Variables to add; false leaves one out")),
        .option(.number("timeout", in: 0...ProcessLimits.secondsMax, "In seconds")),
        .option(.integer("max", in: 0...Int.max, "The most output, in bytes")),
        returns: "{status, signal, output, errors}"
      ) { call, command, input, directory, environment, seconds, max in
        let request = try ProcessRequest(
          command, input: input, directory: directory, environment: environment,
          seconds: seconds, call)
        let registration = try ProcessLimits.registrations.begin(call)
        defer { registration.end() }
        return try await run(
          request, max: Swift.min(max ?? .max, ProcessLimits.bytesMax(call.surroundings)))
      },
      .stream(
        "lines", "Runs a program and returns the lines of its output while it runs.",
        .strings("command", "The program and its arguments"), .option(.bytes("input")),
        .option(.string("directory", "Where to run; otherwise in the script directory")),
        .option(.map("environment", "Variables to add; false leaves one out")),
        .option(.number("timeout", in: 0...ProcessLimits.secondsMax, "In seconds")),
        of: "string"
      ) { call, command, input, directory, environment, seconds in
        let request = try ProcessRequest(
          command, input: input, directory: directory, environment: environment,
          seconds: seconds, call)
        return ProcessLines(request, try ProcessLimits.registrations.begin(call))
      },
    ])

  private static func run(_ request: ProcessRequest, max: Int) async throws -> ServiceResult {
    let collected = CollectedOutput(of: request.name, max: max)
    let status = try await request.run(
      output: { try collected.addOutput($0) }, errors: { try collected.addErrors($0) })
    let ending: [(name: String, content: ServiceResult)] =
      switch status {
      case .exited(let code): [("status", .integer(Int(code)))]
      case .signaled(let signal):
        [("signal", .string(ProcessEnding.name(ofSignal: Int(signal))))]
      }
    return .fields(ending + collected.fields)
  }
}

/// The limits on processes.
enum ProcessLimits {
  /// The longest time that a script can allow a process, in seconds: a week.
  static let secondsMax = 604_800.0

  static let registrations = ProcessRegistrations()

  /// The maximum size of the output and errors of one run: an answer with its other fields.
  static func bytesMax(_ surroundings: ServiceSurroundings) -> Int {
    max(0, surroundings.answerBytesMax - 1024)
  }
}
