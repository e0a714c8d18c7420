import Glibc
import Logging
import MoonTerminal
import Moonwire

/// One run of an app, from loading its modules to leaving.
struct Run: Sendable {
  let directory: String
  let options: RunOptions
  let output: TerminalOutput
  let source: LineSource
  let snapshots: SnapshotBox
  let terminal: TerminalModes

  /// Runs; returns the code to exit with.
  func run() async -> Int32 {
    // Before the file that is written at the end is opened: it may be the same.
    let former: Value?
    do throws(RestoreFileError) {
      former = try options.restoreFile.map { path throws(RestoreFileError) in
        try RestoreFile.state(at: path)
      }
    } catch {
      let isUnreadable = if case .unreadable = error { true } else { false }
      return refuse(
        Messages.restoreFile(error), isUnreadable ? ExitStatus.noInput : ExitStatus.dataError)
    }
    let stateFile: StateFile?
    do throws(StateFileError) {
      stateFile = try options.stateFile.map { path throws(StateFileError) in
        try StateFile(path: path)
      }
    } catch {
      return refuse(Messages.stateFile(error), ExitStatus.cannotCreate)
    }
    let log = LogRing()
    let host: Host
    do throws(HostError) {
      host = try Host(directory: directory, options: hostOptions(log))
    } catch {
      return refuse(Messages.host(error), ExitStatus.internalError)
    }
    let termination = Termination(host, terminal)
    listenToSignals(host, termination)
    do throws(FilesError) {
      await watch(host)
      try await host.perform { (host) throws(FilesError) in try host.load() }
    } catch {
      return refuse(Messages.noDirectory(error), ExitStatus.noInput)
    }
    if let code = await reportProblems(host) { return code }

    let (session, events, watching): (SessionID, AsyncStream<HostEvent>, DirectoryWatcher.Notice?)
    do throws(RestoreError) {
      (session, events, watching) = try await host.perform { (host) throws(RestoreError) in
        let events = host.events()
        guard let former else { return (host.openSession(), events, host.watchNotice) }
        return (try host.openSession(restoring: former), events, host.watchNotice)
      }
    } catch {
      await host.close()
      return refuse(
        Messages.restore(error, from: options.restoreFile ?? ""), ExitStatus.dataError)
    }
    if let watching { output.printNotice(Messages.watching(watching)) }
    if let stateFile {
      termination.setFinalWork { _ = await write(stateFile, host, session) }
    }
    let label = PromptLabel(
      name: ScriptDirectory(root: directory).root.split(separator: "/").last.map(String.init)
        ?? "/", style: output.resultStyle)
    let shown = Task { await show(events, host, session, label) }
    var code = await work(host, session, log, label)
    await Termination.waitIfBegun()
    if let stateFile, let failure = await write(stateFile, host, session) { code = failure }
    await host.close()
    await shown.value
    return code
  }

  /// Writes the state; returns a code if that fails.
  private func write(_ file: StateFile, _ host: Host, _ session: SessionID) async -> Int32? {
    do throws(StateFileError) {
      try file.write(await host.state(of: session) ?? .map(Map()))
      return nil
    } catch {
      return refuse(Messages.stateFile(error), ExitStatus.cannotCreate)
    }
  }

  private func refuse(_ report: Report, _ code: Int32) -> Int32 {
    if options.format == .json { output.printResult([JSONRecord.line(report)]) }
    output.printNotice(report)
    return code
  }

  private func hostOptions(_ log: LogRing) -> HostOptions {
    var options = HostOptions()
    for limit in self.options.limits { limit.set(in: &options) }
    let level = self.options.logLevel.level
    options.logger = Logger(label: "moonwire") { [output] _ in
      OutputLogHandler(logLevel: level, ring: log, show: { output.printLog($0) })
    }
    // As a program reads it, what is printed isn't a result.
    switch self.options.format {
    case .text:
      options.printed = { [output] in output.printResult([TerminalText.sanitized($0)]) }
    case .json:
      options.printed = { [output] in output.printNotice(TerminalText.sanitized($0)) }
    }
    return options
  }

  /// Ctrl-C stops what runs where a person can go on, and else ends the program.
  private func listenToSignals(_ host: Host, _ termination: Termination) {
    Signals.listen { [output, author = source.author] number in
      if number == SIGINT, author == .person {
        // The terminal has shown ^C; what comes goes below it.
        if host.interrupt() { output.printNotice("") }
      } else {
        termination.end(signal: number)
      }
    }
  }

  private func watch(_ host: Host) async {
    // A few actions from the command line see one and the same version of the modules.
    guard source.author != .nobody else { return }
    do throws(FilesError) {
      switch options.watching {
      case .off: return
      case .automatic: try await host.watch(.automatic)
      case .polling: try await host.watch(.polling)
      }
    } catch {
      output.printNotice(Messages.unwatched(error))
    }
  }

  /// Shows what is wrong with the modules; returns a code if that's the end.
  private func reportProblems(_ host: Host) async -> Int32? {
    let (modules, strays, conflicts) = await host.perform {
      ($0.moduleInfos(), $0.strayProblems(), $0.routeConflicts())
    }
    let reports =
      modules.flatMap { Messages.problems($0.problems, running: nil) }
      + strays.map(Messages.problem) + Messages.conflicts(conflicts)
    for report in reports { output.printNotice(report) }
    for name in Set(options.limits.compactMap(\.module)).sorted()
    where !modules.contains(where: { $0.name == name }) {
      let nearest = Spelling.nearest(to: name.text, in: modules.map(\.name.text))
      output.printNotice(Messages.limitWithoutModule(name, nearest: nearest))
    }
    let count = modules.reduce(strays.count) { $0 + $1.problems.count }
    guard options.problems == .refused, count > 0 else { return nil }
    return refuse(Messages.refused(problems: count), ExitStatus.dataError)
  }

  private func show(
    _ events: AsyncStream<HostEvent>, _ host: Host, _ session: SessionID, _ label: PromptLabel
  ) async {
    let shower = EventPrinter(output: output, directory: directory)
    for await event in events {
      shower.show(event)
      guard source.author == .person else { continue }
      let before = label.text(snapshots.current)
      await snapshots.refresh(host, session)
      source.editor?.replacePrompt(before, with: label.text(snapshots.current))
    }
  }

  private func work(
    _ host: Host, _ session: SessionID, _ log: LogRing, _ label: PromptLabel
  ) async -> Int32 {
    let cause: Cause = source.author == .nobody ? .commandLine : .prompt
    let prompt = PromptSession(host: host, id: session, log: log, cause: cause)
    let loop = PromptLoop(
      session: prompt, options: options, output: output, source: source, snapshots: snapshots,
      label: label)
    guard source.author != .nobody else { return await loop.dispatchAll() }
    if source.author == .person {
      await snapshots.refresh(host, session)
      let known = snapshots.current
      output.printNotice(
        Messages.greeting(directory, modules: known.modules, actions: known.actions.count))
      if options.format == .text { await loop.showTop() }
    } else if await host.moduleInfos().isEmpty {
      output.printNotice(Messages.empty(directory))
    }
    return await loop.run()
  }
}
