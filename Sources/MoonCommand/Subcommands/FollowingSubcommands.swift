import ArgumentParser
import MoonLink
import MoonPrompt
import Moonwire

/// Shows the state of a running host, once or as it changes.
struct StateSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state", abstract: "Shows the state of a running host, or a part of it.")

  @Argument(help: "The path of the part, such as counter.count.") var path: String = ""
  @Flag(help: "Show the part again whenever it changes, until the host ends.") var watch = false
  @OptionGroup var options: OneLineOptions

  func run() async throws {
    let (changes, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let line = try OneLine(
      options, notify: { _, _ in source.yield() }, finish: { source.finish() })
    if watch {
      // Before the state is shown, so that no change is missed.
      let host = try line.running(for: "--watch")
      _ = try? await host.call("state/subscribe", ["path": .string(Text(path))])
    }
    try await line.run(":state \(path)")
    guard watch else { return }
    for await _ in changes { try await line.run(":state \(path)") }
    throw ExitCode(ExitStatus.unavailable)
  }
}

/// Shows the log of a running host.
struct LogSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Shows the last lines of the log of a running host.")

  @Argument(help: "The number of lines.") var count: Int?
  @Flag(name: .shortAndLong, help: "Show further lines as they come, until the host ends.")
  var follow = false
  @OptionGroup var options: OneLineOptions

  func run() async throws {
    let (lines, source) = AsyncStream.makeStream(of: Value.self)
    let line = try OneLine(
      options, notify: { _, line in source.yield(line) }, finish: { source.finish() })
    let host = follow ? try line.running(for: "--follow") : nil
    try await line.run(":log \(count.map(String.init) ?? "")")
    guard let host else { return }
    _ = try? await host.call("log/subscribe")
    for await entry in lines { line.printLog(entry) }
    throw ExitCode(ExitStatus.unavailable)
  }
}

extension OneLine {
  /// Prints the parameters of a `log/line`.
  fileprivate func printLog(_ entry: Value) {
    guard options.json else {
      let line = LogLine(
        module: entry["module"]?.stringValue ?? "", level: entry["level"]?.stringValue ?? "",
        message: entry["message"]?.stringValue ?? "")
      return output.printResult([line.text(output.resultStyle)])
    }
    var record = entry.mapValue ?? Map()
    record["kind"] = "log_line"
    record["subscription"] = nil
    output.printResult([JSONRecord.line(record)])
  }
}
