import ArgumentParser
import Glibc
import MoonLink
import MoonPrompt
import MoonTerminal
import Moonwire

/// The options of a command that has a running host carry out one line.
struct OneLineOptions: ParsableArguments {
  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      """
      The directory that the host serves, or its socket. Without it, the only host that runs.
      """, valueName: "host"),
    completion: .directory)
  var host: String?

  @Option(
    help: ArgumentHelp(
      "How long the answer may take, such as 500ms or 30s; then the line is ended.",
      valueName: "time"))
  var timeout: String?

  @Flag(help: "Write one JSON object a line to standard output, each with \"v\":1.")
  var json = false

  @Option(help: "When to use colours: auto, always or never. auto respects NO_COLOR.")
  var color = ColorOption.auto

  func validate() throws {
    if let timeout, Duration(option: timeout) == nil {
      throw ValidationError("--timeout '\(timeout)': write a time such as 500ms or 30s")
    }
  }
}

/// A line that a running host carries out for one command.
struct OneLine: Sendable {
  let host: HostLink
  let output: TerminalOutput
  let options: OneLineOptions

  /// Connects to the host that the options name.
  ///
  /// - Throws: `ExitCode`, after the reason was printed.
  static func connecting(
    _ options: OneLineOptions,
    notify: @escaping @Sendable (_ method: String, _ parameters: Value) -> Void = { _, _ in },
    finish: @escaping @Sendable () -> Void = {}
  ) throws -> OneLine {
    let environment = ProcessEnvironment.variables
    let output = TerminalOutput(editor: nil, color: options.color.mode, environment: environment)
    do {
      let path = try RunningHost.path(options.host, environment)
      return OneLine(
        host: try HostLink(to: path, notify: notify, finish: finish), output: output,
        options: options)
    } catch let error as HostChoiceError {
      output.report(error.report, inJSON: options.json)
      throw ExitCode(error.code)
    } catch let error as LinkError {
      output.report(error.report, inJSON: options.json)
      throw ExitCode(error.code)
    }
  }

  /// Carries out a line, and prints what it shows.
  ///
  /// - Throws: `ExitCode` if it has failed, or takes too long.
  func run(_ line: String) async throws {
    let limit = options.timeout.flatMap { Duration(option: $0) }
    let clock = limit.map { time in
      Task { [host, output, isJSON = options.json] in
        try await Task.sleep(for: time)
        host.cancelCalls()
        output.report(Report("the host hasn't answered in time"), inJSON: isJSON)
        // Given a moment, the line ends; the host isn't waited for.
        try? await Task.sleep(for: .milliseconds(50))
        _exit(ExitStatus.timedOut)
      }
    }
    defer { clock?.cancel() }
    let answer: Value
    do throws(LinkError) {
      answer = try await host.call(
        "prompt/run",
        [
          "line": .string(Text(line)), "json": .bool(options.json),
          "columns": .int(Int64(output.columns)), "colors": .bool(output.resultStyle != .plain),
        ])
    } catch {
      output.report(error.report, inJSON: options.json)
      throw ExitCode(error.code)
    }
    for piece in answer["output"]?.listValue ?? List() {
      let text = piece["text"]?.stringValue ?? ""
      piece["stream"] == "result" ? output.printResult([text]) : output.printNotice(text)
    }
    let status = answer["status"]?.stringValue
    guard status == "done" || status == "left" else { throw ExitCode(ExitStatus.dataError) }
  }

  /// Returns words of a shell as words of a line, in which a text with spaces is quoted.
  static func joined(_ words: [String]) -> String {
    words.map { word in
      guard let equals = word.firstIndex(of: "="), !word.hasPrefix("{"), !word.hasPrefix("["),
        word[equals...].contains(where: \.isWhitespace)
      else { return word }
      let value = String(word[word.index(after: equals)...])
      // JSON stays what it is.
      if (try? Value(parsing: value)) != nil { return word }
      return word[...equals] + Value.string(Text(value)).canonicalText
    }.joined(separator: " ")
  }
}
