import ArgumentParser
import Glibc
import MoonLink
import MoonPrompt
import MoonTerminal
import Moonwire
import Synchronization

/// The options of a command that has a host carry out one line.
struct OneLineOptions: ParsableArguments {
  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      """
      The directory that the host serves, or its socket. If no host serves the directory, the \
      command runs one for this line. Without it, the only host that runs.
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

  @OptionGroup var grants: GrantOptions

  @OptionGroup var data: DataOption

  /// Whether there are options that only a host of the command's own has.
  var areForOwnHost: Bool { data.named != nil || grants.grants != Grants() }

  /// The settings of a host of the command's own.
  func ownSettings() throws -> HostSettings { try .with(grants, data) }

  func validate() throws {
    if let timeout, Duration(option: timeout) == nil {
      throw ValidationError("--timeout '\(timeout)': write a time such as 500ms or 30s")
    }
  }
}

/// What carries out a line for one command: a running host, or one of the command's own.
struct OneLine: Sendable {
  /// The host.
  private enum Place {
    case running(HostLink)
    /// There is none for this directory yet.
    case own(directory: String)
  }

  let output: TerminalOutput
  let options: OneLineOptions
  private let place: Place

  /// Finds the host that the options name.
  ///
  /// - Throws: `ExitCode`, after the reason was printed.
  init(
    _ options: OneLineOptions,
    notify: @escaping @Sendable (_ method: String, _ parameters: Value) -> Void = { _, _ in },
    finish: @escaping @Sendable () -> Void = {}
  ) throws {
    let environment = ProcessEnvironment.variables
    output = TerminalOutput(editor: nil, color: options.color.mode, environment: environment)
    self.options = options
    do {
      let host = try RunningHost(options.host, environment)
      do throws(LinkError) {
        place = .running(try HostLink(to: host.path, notify: notify, finish: finish))
      } catch {
        guard case .noHost = error, let directory = host.directory else { throw error }
        place = .own(directory: directory)
        return
      }
    } catch let error as HostChoiceError {
      output.report(error.report, inJSON: options.json)
      throw ExitCode(error.code)
    } catch let error as LinkError {
      output.report(error.report, inJSON: options.json)
      throw ExitCode(error.code)
    }
    if options.areForOwnHost {
      throw ValidationError("the host runs already: --allow, --deny and --data are for another")
    }
    // A line that nobody waits for any more is ended.
    Signals.listen { [place] number in
      Task { await Self.end(place, ExitStatus.signal(number)) }
    }
  }

  /// The connection to the running host.
  ///
  /// - Throws: `ExitCode` if none runs, after that was printed.
  func running(for option: String) throws -> HostLink {
    switch place {
    case .running(let host): return host
    case .own(let directory):
      output.report(
        Report(
          "no host serves \(directory), and \(option) follows one that runs",
          rows: [.init("help", "moonwire serve DIR starts one")]), inJSON: options.json)
      throw ExitCode(ExitStatus.unavailable)
    }
  }

  /// Carries out a line, and prints what it shows.
  ///
  /// - Throws: `ExitCode` if it has failed, or takes too long.
  func run(_ line: String) async throws {
    let clock = options.timeout.flatMap { Duration(option: $0) }.map { time in
      Task { [output, place, isJSON = options.json] in
        try await Task.sleep(for: time)
        Self.isEnding.store(true, ordering: .releasing)
        output.report(Report("the line hasn't ended in time"), inJSON: isJSON)
        await Self.end(place, ExitStatus.timedOut)
      }
    }
    defer { clock?.cancel() }
    switch place {
    case .running(let host): try await run(line, on: host)
    case .own(let directory): try await run(line, ofOwn: directory)
    }
  }

  private func run(_ line: String, on host: HostLink) async throws {
    let answer: Value
    do throws(LinkError) {
      answer = try await host.call(
        "prompt/run",
        [
          "line": .string(Text(line)), "json": .bool(options.json),
          "columns": .int(Int64(output.columns)), "colors": .bool(output.resultStyle != .plain),
        ])
    } catch {
      await Self.waitIfEnding()
      output.report(error.report, inJSON: options.json)
      throw ExitCode(error.code)
    }
    await Self.waitIfEnding()
    for piece in answer["output"]?.listValue ?? List() {
      let text = piece["text"]?.stringValue ?? ""
      piece["stream"] == "result" ? output.printResult([text]) : output.printNotice(text)
    }
    let status = answer["status"]?.stringValue
    guard status == "done" || status == "left" else { throw ExitCode(ExitStatus.dataError) }
  }

  /// Whether a signal or the time ends the program, which decides the exit code.
  private static let isEnding = Atomic(false)

  private static func waitIfEnding() async {
    if isEnding.load(ordering: .acquiring) { await Termination.wait() }
  }

  /// Ends the line, and the program, whether or not the host answers.
  private static func end(_ place: Place, _ code: Int32) async {
    isEnding.store(true, ordering: .releasing)
    if case .running(let host) = place {
      host.cancelCalls()
      try? await Task.sleep(for: .milliseconds(50))
    }
    _exit(code)
  }

  private func run(_ line: String, ofOwn directory: String) async throws {
    var run = RunOptions(try options.ownSettings())
    run.lines = [line]
    run.format = options.json ? .json : .text
    output.printNotice(
      Report(
        .note, "no host serves \(directory), so an app of its own carries out the line",
        rows: [
          .init("meanwhile", "its state is gone afterwards"),
          .init("help", "moonwire serve DIR starts a host that keeps it"),
        ]))
    let source = LineSource(
      reading: false, environment: ProcessEnvironment.variables, color: .never)
    let code = await Run(
      directory: directory, options: run, output: output, source: source,
      snapshots: SnapshotBox(), terminal: TerminalModes()
    ).run()
    if code != 0 { throw ExitCode(code) }
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
