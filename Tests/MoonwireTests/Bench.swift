import Logging
import MoonTestSupport
import Moonwire
import Testing

/// A host on a temporary script directory, with one session.
struct Bench {
  let folder: ScriptFolder
  let host: Host
  let session: SessionID
  let events: EventLog

  /// Whether the host watches its files.
  enum Following {
    case no
    case yes
    case polling
  }

  init(
    _ files: [String: String] = [:], following: Following = .no, options: HostOptions? = nil,
    adding modules: [@Sendable () throws -> Module] = []
  ) async throws {
    try await self.init(
      in: try ScriptFolder(files), following: following, options: options, adding: modules)
  }

  init(
    in folder: ScriptFolder, following: Following = .no, options: HostOptions? = nil,
    adding modules: [@Sendable () throws -> Module] = []
  ) async throws {
    self.folder = folder
    host = try Host(directory: folder.root, options: options ?? Self.quiet)
    events = EventLog(host.events())
    for make in modules { try await host.add(try make()) }
    switch following {
    case .no: break
    case .yes: try await host.watch()
    case .polling: try await host.watch(.polling)
    }
    try await host.load()
    session = await host.openSession()
  }

  /// Options with a clock that stands still, and budgets that suffice on a slow machine.
  static var quiet: HostOptions {
    var options = HostOptions()
    options.timeline = Timeline.Limits()
    options.clock = Clock { 1000.25 }
    options.logger.logLevel = .critical
    options.budgets = .generous
    options.actionBudget = .seconds(120)
    options.followingBudget = .seconds(120)
    return options
  }

  @discardableResult
  func dispatch(_ type: String, _ payload: Value = nil) async throws -> Outcome {
    try await host.dispatch(Action(Text(type), payload), to: session)
  }

  /// Returns the error of a dispatch; nil and a test failure if it succeeds.
  func failure(
    of type: String, _ payload: Value = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> DispatchError? {
    do throws(DispatchError) {
      try await host.dispatch(Action(Text(type), payload), to: session)
      Issue.record("dispatching \(type) didn't fail", sourceLocation: sourceLocation)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the state at a path; nil if there is none.
  func state(_ path: String = "") async throws -> Value? {
    try await host.state(of: session)?.value(at: Path(parsing: path))
  }

  /// Returns `type ok`, `type same` or `type failed` for each action, the oldest first.
  func history() async -> [String] {
    await host.history(of: session).entries.map { entry in
      switch entry.result {
      case .done(let hasChanged): "\(entry.action.type) \(hasChanged ? "ok" : "same")"
      case .waiting: "\(entry.action.type) waits"
      case .dropped(let module, _): "\(entry.action.type) dropped by \(module)"
      case .failed(let error) where error.refusal != nil:
        "\(entry.action.type) refused by \(error.refusal?.origin?.module.text ?? "-")"
      case .failed: "\(entry.action.type) failed"
      }
    }
  }

  func info(_ name: String) async throws -> ModuleInfo? {
    await host.moduleInfos().first { $0.name.text == name }
  }
}

extension Budgets {
  static var generous: Budgets { Budgets(all: .seconds(60)) }
}

extension Module {
  init(_ name: String, state: Value? = nil, _ fill: (inout Module) throws -> Void) throws {
    self.init(name: try #require(ModuleName(name)), state: state)
    try fill(&self)
  }
}

extension Outcome {
  /// The changes as a person would see them.
  var summary: [String] {
    changes.changes.map { change in
      let (before, after) = (change.before?.canonicalText, change.after?.canonicalText)
      return "\(change.path) \(before ?? "-") → \(after ?? "-")"
    }
  }
}
