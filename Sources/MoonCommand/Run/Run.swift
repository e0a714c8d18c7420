import Glibc
import Logging
import MoonAuthoring
import MoonBuiltIns
import MoonPrompt
import MoonServices
import MoonTerminal
import Moonwire

/// One run of an app, from loading its modules to the end.
struct Run: Sendable {
  let directory: String
  let options: RunOptions
  let output: TerminalOutput
  let source: LineSource
  let snapshots: SnapshotBox
  let terminal: TerminalModes
  /// The wait for tasks that Ctrl-C ends.
  let currentWait = CurrentWait()

  /// Runs the app; returns the exit code.
  func run() async -> Int32 {
    do throws(RunError) {
      return try await start()
    } catch {
      report(error.report)
      return error.code
    }
  }

  private func start() async throws(RunError) -> Int32 {
    // Checked before anything runs, so that a problem doesn't show only at the end.
    let former = try formerState()
    let stateWriter = try options.stateFile.map { path throws(RunError) in
      try self.stateWriter(at: path, former)
    }
    let journal = try options.journal.map { setting throws(RunError) in
      try RunJournal(setting, for: directory, data: options.settings.data.directory(for: directory))
    }
    if let warning = journal?.warning { report(warning) }
    defer { journal?.close() }
    let log = LogRing()
    let settings = options.settings.moduleSettings.configured
    if let report = settings.report(reading: options.settings.moduleSettings.file) {
      throw .settings(report)
    }
    let host = try makeHost(log, settings)
    let termination = Termination(host, terminal, report: report)
    listenToSignals(host, termination)
    try await addBuiltIns(to: host)
    let questions = GrantQuestions(
      host, KeptGrants(in: GrantsFile.personal, for: directory))
    let earlyLine = try await load(host, settings, questions)
    let inbox = inbox(of: host, questions, log)
    let types = typesKeeper(on: host, log)
    let session = try await openSession(on: host, former?.state, journal)
    let (resumption, waiting) = await host.perform {
      (Journal.resumption(of: session, on: $0), Journal.tasksWithoutModule(of: session, on: $0))
    }
    if let resumption, let journal,
      case let report = Report(resumption, of: journal.name), !report.rows.isEmpty
    {
      output.printNotice(report)
    }
    if !waiting.isEmpty { report(Report(tasksWithoutModule: waiting)) }
    await options.settings.builtIns.accompany(
      session, on: host, showingOn: output, keepingIn: builtInDirectory)
    let lifecycle = AppLifecycle(session, host)
    if options.settings.builtIns.builtIns.contains(where: { $0.name == BuiltIn.lifecycle.name }) {
      lifecycle.begin()
      termination.announce(by: lifecycle)
    }
    if let stateWriter {
      if let state = await host.savedState(of: session) { stateWriter.note(state) }
      termination.keep(session, stateWriter)
    }
    let keys = KeysFile(named: options.keysFile, for: directory)
    do throws(KeysFileError) {
      try await keys?.update(host)
    } catch {
      output.printNotice(error.report(at: keys?.path ?? ""))
    }
    let prompt = PromptSession(
      host: host, id: session, log: log, cause: cause, settings: settings,
      keptGrants: questions.kept, keys: keys,
      callTimeMax: source.author == .person ? nil : options.taskWaitMax)
    let loop = loop(prompt, inbox, stateWriter, questions, earlyLine)
    let shown = Task { await show(inbox, loop) }
    if let serving = options.serving { termination.end(serving) }
    var code = try await work(loop)
    await Termination.waitIfBegun()
    await lifecycle.tell(.willTerminate)
    do throws(RunError) {
      try await journal?.check(session, on: host)
    } catch {
      report(error.report)
      code = error.code
    }
    if let stateWriter {
      let problems = stateWriter.write(await stateWriter.close(session, on: host))
      for problem in problems { report(problem) }
      if !problems.isEmpty { code = ExitStatus.cannotCreate }
    }
    await types?.end()
    await host.close()
    inbox.finish()
    await shown.value
    return code
  }

  // MARK: Starting

  private func formerState() throws(RunError) -> RestoreFile.Contents? {
    guard let restoring = options.restoring else { return nil }
    let path = restoring.path
    do throws(RestoreFileError) {
      return try RestoreFile.contents(at: path)
    } catch {
      if error == .unreadable(path: path, code: ENOENT), restoring.missing == .newState {
        return nil
      }
      throw .restoreFile(error)
    }
  }

  private func stateWriter(
    at path: String, _ former: RestoreFile.Contents?
  ) throws(RunError) -> StateWriter {
    let file: StateFile
    do throws(StateFileError) { file = try StateFile(path: path) } catch { throw .stateFile(error) }
    // The changes must not be mixed with the state.
    if file.isStandardOutput, options.format == .text { output.sendResultsToErrors() }
    let restored = options.restoring?.path ?? ""
    let unreadable = former?.unreadable ?? []
    let isSame = !unreadable.isEmpty && file.isSame(as: restored)
    for slice in unreadable {
      report(slice.report(in: restored, isReplaced: isSame))
    }
    return StateWriter(file, format: options.format, keepingEarlier: isSame ? .kept : .replaced)
  }

  private func makeHost(
    _ log: LogRing, _ settings: ConfiguredSettings
  ) throws(RunError) -> Host {
    do throws(HostError) {
      let host = try Host(directory: directory, options: hostOptions(log, settings))
      if let report = HostSettings.grantsReport(for: directory) { output.printNotice(report) }
      for notice in Report.notices(endsEveryCall: Budgets.endsEveryCall) {
        output.printNotice(notice)
      }
      return host
    } catch {
      throw .host(error)
    }
  }

  private func addBuiltIns(to host: Host) async throws(RunError) {
    do throws(HostError) {
      try await options.settings.builtIns.add(
        to: host, showingOn: output, keepingIn: builtInDirectory)
    } catch {
      throw .host(error)
    }
  }

  /// Loads the modules; returns a line that was typed in place of an answer to a question.
  private func load(
    _ host: Host, _ settings: ConfiguredSettings, _ questions: GrantQuestions
  ) async throws(RunError) -> String? {
    do throws(FilesError) {
      await watch(host)
      try await host.perform { (host) throws(FilesError) in try host.load() }
    } catch {
      throw .files(error)
    }
    // Before anything starts, and before other problems are told.
    var line: String?
    if source.author == .person, options.format == .text {
      line = await questions.ask(output, source.answer)
    }
    try await reportProblems(host, settings)
    return line
  }

  private func openSession(
    on host: Host, _ state: Value?, _ journal: RunJournal?
  ) async throws(RunError) -> SessionID {
    if let journal {
      do throws(RunError) {
        return try await journal.openSession(on: host)
      } catch {
        await host.close()
        throw error
      }
    }
    let (session, watching): (SessionID, DirectoryWatcher.Notice?)
    do throws(RestoreError) {
      (session, watching) = try await host.perform { (host) throws(RestoreError) in
        guard let state else { return (host.openSession(), host.watchNotice) }
        return (try host.openSession(restoring: state), host.watchNotice)
      }
    } catch {
      await host.close()
      throw .restore(error, path: options.restoring?.path ?? "")
    }
    if let watching { output.printNotice(watching.report) }
    return session
  }

  private func report(_ report: Report) {
    output.report(report, inJSON: options.format == .json)
  }

  private func hostOptions(_ log: LogRing, _ settings: ConfiguredSettings) -> HostOptions {
    var options = HostOptions()
    options.settings = settings.source
    options.timeline = Timeline.Limits()
    self.options.settings.set(in: &options, for: directory)
    if let file = KeysFile(named: self.options.keysFile, for: directory) {
      options.grants.denied += file.denials
    }
    options.linkedDirectories = self.options.linkedDirectories
    options.logger = logger(log)
    // Nobody could end the code of a client that doesn't come back.
    if self.options.serving != nil { options.prompt.budget = PromptLimits.servedBudget }
    // In JSON output, printed text isn't a result.
    switch self.options.format {
    case .text:
      options.printed = { [output] in output.printResult([TerminalText.sanitized($0)]) }
    case .json:
      options.printed = { [output] in output.printNotice(TerminalText.sanitized($0)) }
    }
    return options
  }

  private func logger(_ log: LogRing) -> Logger {
    Logger(label: "moonwire") {
      [output, level = options.logLevel.level, serving = options.serving] _ in
      OutputLogHandler(
        logLevel: level, ring: log,
        show: { [serving] in serving?.output.print($0) ?? output.printLog($0) })
    }
  }

  /// Returns what keeps the annotations for editors in step with the modules; nil if those can't
  /// change.
  private func typesKeeper(on host: Host, _ log: LogRing) -> TypesKeeper? {
    guard isFollowingFiles else { return nil }
    let logger = logger(log)
    return TypesKeeper(for: directory, on: host) { logger.warning("\($0)") }
  }

  /// Whether a saved file takes effect; all actions from the command line use the same modules.
  private var isFollowingFiles: Bool { source.author != .nobody || options.serving != nil }

  /// Makes Ctrl-C stop running code if a person can continue, cancel tasks that a script waits for,
  /// and end the program otherwise.
  private func listenToSignals(_ host: Host, _ termination: Termination) {
    Signals.listen { [output, author = source.author, currentWait, options] number in
      if let serving = options.serving {
        if number == SIGHUP, serving.reloadsOnHangUp { return serving.reload() }
        termination.end(signal: number)
      } else if number == SIGINT, author == .person {
        // The terminal has shown ^C, so the output goes below it.
        if host.interrupt() { output.printNotice("") }
        currentWait.cancelCall()
      } else if number == SIGINT {
        currentWait.interrupt { termination.end(signal: number) }
      } else {
        termination.end(signal: number)
      }
    }
    guard source.author == .person else { return }
    Signals.listenForHangUp(of: STDIN_FILENO) { termination.end(signal: $0) }
  }

  private func watch(_ host: Host) async {
    guard isFollowingFiles else { return }
    do throws(FilesError) {
      switch options.watching {
      case .off: return
      case .automatic: try await host.watch(.automatic)
      case .polling: try await host.watch(.polling)
      }
    } catch {
      output.printNotice(error.watchReport)
    }
  }

  /// Shows the problems with the modules.
  private func reportProblems(
    _ host: Host, _ settings: ConfiguredSettings
  ) async throws(RunError) {
    let (modules, strays, conflicts, names, doubts, unknown) = await host.perform {
      (
        $0.moduleInfos(), $0.strayProblems(), $0.routeConflicts(), $0.deadNames(),
        $0.doubtfulNames(), settings.unknown(in: $0)
      )
    }
    let reports =
      modules.flatMap { ModuleProblem.reports($0.problems, running: nil) }
      + strays.map(\.report) + RouteConflict.reports(conflicts) + DeadName.reports(names)
      + DoubtfulName.reports(doubts) + unknown.map(\.report)
      + notes(onEffectsOf: modules)
    for report in reports { output.printNotice(report) }
    for report in options.settings.waitReports(modules.map(\.name)) { output.printNotice(report) }
    let count = modules.reduce(strays.count) { $0 + $1.problems.count }
    if options.problems == .refused, count > 0 { throw .problems(count) }
  }

  private func notes(onEffectsOf modules: [ModuleInfo]) -> [Report] {
    guard !options.keepsJournal else { return [] }
    return [Report(notKeptEffects: modules.flatMap(\.durableEffects))].compactMap(\.self)
  }

  private var builtInDirectory: String? { options.settings.builtInDirectory(for: directory) }

  // MARK: Working

  private var cause: Cause { source.author == .nobody ? .commandLine : .prompt }

  private func loop(
    _ session: PromptSession, _ inbox: EventInbox, _ stateWriter: StateWriter?,
    _ questions: GrantQuestions, _ earlyLine: String?
  ) -> PromptLoop {
    let name = ScriptDirectory(root: directory).root.split(separator: "/").last ?? "/"
    let taskWait = TaskWait(session, options.taskWaitMax)
    currentWait.set(taskWait)
    let display = AnswerDisplay(
      of: session, on: output, options.format, isForPerson: source.author == .person,
      noting: snapshots, flushEvents: inbox.flush)
    return PromptLoop(
      session: session, options: options, output: output, source: source, snapshots: snapshots,
      label: PromptLabel(name: String(name), style: output.resultStyle), stateWriter: stateWriter,
      taskWait: taskWait, questions: questions, display: display, earlyLine: earlyLine)
  }

  private func inbox(
    of host: Host, _ questions: GrantQuestions, _ log: LogRing
  ) -> EventInbox {
    let printer = EventPrinter(
      output: output, directory: directory, keepsJournal: options.keepsJournal)
    let inbox = EventInbox(isPatient: source.author == .person) { events in
      for case .failed(let module?, _, _) in events { questions.forget(module) }
      events.forEach(log.note)
      options.serving?.output.show(events, by: printer) ?? printer.show(events)
    }
    host.deliverEvents { inbox.add($0) }
    return inbox
  }

  private func show(_ inbox: EventInbox, _ loop: PromptLoop) async {
    await inbox.deliver { events in
      guard options.serving == nil else { return }
      for case .tasksChangedState(_, let outcome) in events { await loop.show(outcome) }
      await loop.noteState()
      await loop.display.redraw(after: events)
      await loop.refreshPrompt()
    }
  }

  private func work(_ loop: PromptLoop) async throws(RunError) -> Int32 {
    let (host, session) = (loop.session.host, loop.session.id)
    if let serving = options.serving {
      let inspection = options.settings.inspection(
        of: directory, followingLinksInto: options.linkedDirectories, on: output)
      try await serving.serve(loop.session, directory: directory, inspection)
      return 0
    }
    guard source.author != .nobody else { return await loop.carryOutAll() }
    if source.author == .person {
      await snapshots.refresh(host, session)
      let known = snapshots.current
      output.printNotice(
        Greeting.text(directory, modules: known.modules, actions: known.actions.count))
      if options.format == .text {
        await host.watchScreen(of: session)
        await loop.display.showTop()
      }
    } else if await host.moduleInfos().isEmpty {
      output.printNotice(Greeting.empty(directory))
    }
    return await loop.run()
  }
}
