import MoonBuiltIns
import MoonTestSupport
import Moonwire
import Synchronization
import Testing

/// A host with built-in modules beside scripts, and one session.
struct BuiltInBench {
  let folder: ScriptFolder
  let host: Host
  let session: SessionID
  let shown: Shown

  /// The texts that built-in modules have shown.
  final class Shown: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }

  /// Two modules that count what they are told.
  static let counters = [
    "a.lua": "return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end } }",
    "b.lua": "return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end } }",
  ]

  /// The directory for what the modules keep between runs.
  var directory: String { folder.path("../kept") }

  init(_ builtIns: [BuiltIn], _ files: [String: String] = counters) async throws {
    try await self.init(builtIns, in: try ScriptFolder(files))
  }

  /// Begins a run in a folder that may have had others.
  init(_ builtIns: [BuiltIn], in folder: ScriptFolder) async throws {
    self.folder = folder
    let directory = folder.path("../kept")
    var options = HostOptions()
    options.budgets = Budgets(all: .seconds(60))
    options.timeline = Timeline.Limits()
    options.grants.allowsAll = true
    host = try Host(directory: folder.root, options: options)
    let shown = Shown()
    self.shown = shown
    for builtIn in builtIns {
      try await host.add(builtIn.module(showing: { shown.add($0) }, keepingIn: directory))
    }
    try await host.load()
    session = await host.openSession()
    for builtIn in builtIns {
      await builtIn.accompany(
        session, on: host, showing: { shown.add($0) }, keepingIn: directory)
    }
  }

  func dispatch(_ type: String, _ payload: Value = nil) async throws {
    try await host.dispatch(Action(Text(type), payload), to: session)
  }

  /// The errors of an action that is refused; nil and a failure of the test if it isn't.
  func failure(of type: String, _ payload: Value = nil) async -> DispatchError? {
    do throws(DispatchError) {
      try await host.dispatch(Action(Text(type), payload), to: session)
      Issue.record("\(type) was taken")
      return nil
    } catch {
      return error
    }
  }

  /// The place in the timeline and the number of steps, such as `2/3`.
  var place: String {
    get async {
      guard let timeline = await host.timeline(of: session) else { return "none" }
      return "\(timeline.position)/\(timeline.count)"
    }
  }

  /// The value of a slice's `n` at the beginning of the timeline and after each step.
  func numbers(of module: String) async throws -> [Value?] {
    let timeline = try #require(await host.timeline(of: session))
    let position = timeline.position
    var numbers: [Value?] = []
    for place in 0...timeline.count {
      try await host.travel(to: .position(place), in: session)
      numbers.append(await host.state(of: session)?[module]?["n"])
    }
    try await host.travel(to: .position(position), in: session)
    return numbers
  }

  /// The ids of the screens of a window.
  func screens(ofWindow id: Text = "main") async -> [Text] {
    guard let tree = await host.navigationTree(of: session) else { return [] }
    return tree.screens.map(\.id).filter { tree.windowID(of: $0) == id }
  }

  /// Waits until a part of the state is a value.
  func wait(for path: String, toBe value: Value) async throws {
    for await state in await host.states(of: session) {
      if try state.value(at: Path(parsing: path)) == value { return }
    }
    Issue.record("\(path) never was \(value)")
  }

  /// Returns the part of the state at a path such as `a.n`.
  func state(_ path: String) async throws -> Value? {
    try await host.state(of: session)?.value(at: Path(parsing: path))
  }
}
