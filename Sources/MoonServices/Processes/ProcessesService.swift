public import Moonwire
import Subprocess

extension Service {
  /// Programs, as `moon.processes`.
  ///
  /// There is no shell: arguments reach the program unchanged. A process ends with the task that
  /// started it, as do its children in the same process group. Each access makes a new service,
  /// which ends the processes of one host.
  public static var processes: Service {
    let registrations = ProcessRegistrations()
    return Service(
      "processes", "Runs programs that are granted.",
      functions: [run(registrations), lines(registrations)],
      closing: { await registrations.endAll() })
  }

  private static func run(_ registrations: ProcessRegistrations) -> ServiceFunction {
    .asynchronous(
      "run", "Runs a program to its end, and returns what it wrote and how it ended.",
      .strings("command", "The program and its arguments"), .option(.bytes("input")),
      .option(.string("directory", "Where to run; otherwise in the script directory")),
      .option(.map("environment", "Variables to add; false leaves one out")),
      .option(.number("timeout", in: 0...ProcessRequest.secondsMax, "In seconds")),
      .option(.integer("max", in: 0...Int.max, "The most output, in bytes")),
      returns: "{status, signal, output, errors}"
    ) { call, command, input, directory, environment, seconds, max in
      let request = try ProcessRequest(
        command, input: input, directory: directory, environment: environment, seconds: seconds,
        call)
      let bytesMax = Swift.min(
        max ?? .max, CollectedOutput.bytesMax(inAnswersOf: call.surroundings.answerBytesMax))
      return try await registrations.run(for: call) {
        try await request.result(max: bytesMax, in: call.memory)
      }
    }
  }

  private static func lines(_ registrations: ProcessRegistrations) -> ServiceFunction {
    .stream(
      "lines", "Runs a program and returns the lines of its output while it runs.",
      .strings("command", "The program and its arguments"), .option(.bytes("input")),
      .option(.string("directory", "Where to run; otherwise in the script directory")),
      .option(.map("environment", "Variables to add; false leaves one out")),
      .option(.number("timeout", in: 0...ProcessRequest.secondsMax, "In seconds")),
      of: "string"
    ) { call, command, input, directory, environment, seconds in
      let request = try ProcessRequest(
        command, input: input, directory: directory, environment: environment, seconds: seconds,
        call)
      return try ProcessLines(request, registrations, call)
    }
  }
}

extension ProcessRequest {
  /// Runs the program and returns the fields of the answer.
  fileprivate func result(max: Int, in memory: HeldMemory) async throws -> ServiceResult {
    let collected = CollectedOutput(of: name, max: max, in: memory)
    let status = try await run(
      output: { try collected.addOutput($0) }, errors: { try collected.addErrors($0) })
    let ending: [(name: String, content: ServiceResult)] =
      switch status {
      case .exited(let code): [("status", .integer(Int(code)))]
      case .signaled(let signal):
        [("signal", .string(ProcessEnding.name(ofSignal: Int(signal))))]
      }
    return collected.result(with: ending)
  }
}
