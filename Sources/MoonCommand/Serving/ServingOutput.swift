import Glibc
import MoonPrompt
import MoonTerminal
import Moonwire

/// What a host without a prompt prints: lines with the time, or records.
struct ServingOutput: Sendable {
  private let format: OutputFormat
  private let stream: Output
  /// The stage that shows everything by itself.
  private let stage: StageFace?

  /// Records are results, unless standard output has another use.
  init(_ format: OutputFormat, usesStandardOutput: Bool) {
    self.format = format
    let isResult = format == .json && usesStandardOutput
    stream =
      isResult ? Output(descriptor: STDOUT_FILENO) : Self.log(format)
    stage = nil
  }

  /// The log on standard error, which a host doesn't wait for.
  private static func log(_ format: OutputFormat) -> Output {
    Output(log: STDERR_FILENO) { count in
      let text = "\(Wording.counted(count, "line")) of the log weren't written: nobody read them"
      return switch format {
      // One that was being written may have been cut off.
      case .text: "\n\(time())  \(text)\n"
      case .json:
        "\n" + JSONRecord.line(["kind": "notice", "text": .string(Text(text))]) + "\n"
      }
    }
  }

  init(on stage: StageFace) {
    (format, stream) = (.text, Output(descriptor: STDERR_FILENO))
    self.stage = stage
  }

  /// The output for everything that a run reports.
  var terminal: TerminalOutput {
    if let stage { return stage.output }
    return TerminalOutput(
      on: DistantTerminal { [self] text, stream in
        switch format {
        case .text: print(text.isEmpty ? "" : "\(Self.time())  \(Self.indented(text))")
        case .json where stream == .result: print(text)
        case .json: print(["kind": "notice", "text": .string(Text(text))])
        }
      })
  }

  /// Returns a text whose further lines can't be taken for lines of their own.
  private static func indented(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { number, line in
      number == 0 || line.isEmpty || line.hasPrefix(" ") ? String(line) : "  \(line)"
    }.joined(separator: "\n")
  }

  /// Prints a line of the log.
  func print(_ line: LogLine) {
    if stage?.isShown ?? false { return }
    switch format {
    case .text: terminal.printLog(line)
    case .json:
      print([
        "kind": "log_line", "module": .string(Text(line.module)),
        "level": .string(Text(line.level)), "message": .string(Text(line.message)),
      ])
    }
  }

  /// Prints events, and what they have changed.
  func show(_ events: [HostEvent], by printer: EventPrinter) {
    if stage?.isShown ?? false { return }
    switch format {
    case .text:
      printer.show(events)
      for case .tasksChangedState(_, let outcome) in events where !outcome.changes.changes.isEmpty {
        let text = ChangeText(style: .plain, columns: TerminalOutput.columnCountElsewhere)
        for line in text.lines(outcome.changes) { terminal.printNotice(line) }
      }
    case .json: for event in events { EventRecord.record(event).map(print) }
    }
  }

  /// Prints a record with the time.
  func print(_ record: Map) {
    var record = record
    record["time"] = .string(Text(Self.time()))
    print(JSONRecord.line(record))
  }

  private func print(_ line: String) {
    guard !line.isEmpty else { return }
    // A log that nobody reads mustn't end a service.
    try? stream.write(line + "\n")
  }

  /// The time in UTC, to the second.
  private static func time() -> String {
    var seconds = Glibc.time(nil)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
