import MoonTestSupport
import Testing

@testable import Moonwire

/// The modules that files make while they change.
///
/// Invariant 10: a load that fails leaves the previous generation in service.
@Suite(.timeLimit(.minutes(2))) struct ReloaderTests {
  /// Returns a module that adds `step` to its count.
  static func counter(_ step: Int) -> String {
    "return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + \(step) end } }"
  }

  /// Waits until all earlier saves have been checked, twice if necessary.
  ///
  /// A broken file is reported after its second check, which comes after those of earlier saves.
  private func everythingSeen(_ bench: Bench, _ name: String = "sentinel") async throws -> [String]
  {
    try bench.folder.save("\(name).lua", "return { broken")
    return try await bench.events.upTo("failed \(name)").dropLast()
  }

  enum Save: CaseIterable { case inPlace, vim, emacs }

  private func save(_ save: Save, _ folder: ScriptFolder, _ path: String, _ text: String) throws {
    switch save {
    case .inPlace: try folder.save(path, text)
    case .vim: try folder.saveAsVim(path, text)
    case .emacs: try folder.saveAsEmacs(path, text)
    }
  }

  @Test(arguments: Save.allCases, [Bench.Following.yes, .polling])
  func `a saved file is in service, with the state kept`(
    how: Save, following: Bench.Following
  ) async throws {
    let bench = try await Bench(
      ["a.lua": Self.counter(1), "b/init.lua": Self.counter(1)], following: following)
    try await bench.dispatch("a/add")
    try save(how, bench.folder, "a.lua", Self.counter(10))
    #expect(try await bench.events.upTo("reloaded").last == "reloaded a 1→2 kept")
    try await bench.dispatch("a/add")
    try save(how, bench.folder, "b/init.lua", Self.counter(5))
    #expect(try await bench.events.upTo("reloaded") == ["reloaded b 1→2 kept"])
    try await bench.dispatch("b/add")
    #expect(try await bench.state() == ["a": ["n": 11], "b": ["n": 5]])
  }

  @Test(arguments: Save.allCases)
  func `a save that changes nothing is no event`(how: Save) async throws {
    let bench = try await Bench(["a.lua": Self.counter(1)], following: .yes)
    try await bench.events.upTo("started a")
    try save(how, bench.folder, "a.lua", Self.counter(1))
    #expect(try await everythingSeen(bench) == [])
    #expect(try await bench.info("a")?.generation == 1)
  }

  @Test func `a file behind a symbolic link is followed`() async throws {
    let folder = try ScriptFolder(["parts/real.lua": Self.counter(1)])
    try folder.makeLink("a.lua", to: "parts/real.lua")
    let bench = try await Bench(in: folder, following: .yes)
    try folder.save("parts/real.lua", Self.counter(7))
    try await bench.events.upTo("reloaded a 1→2 kept")
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 7)
    try folder.save("parts/other.lua", Self.counter(9))
    try folder.remove("a.lua")
    try folder.makeLink("a.lua", to: "parts/other.lua")
    try await bench.events.upTo("reloaded a 2→3 kept")
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 16)
  }

  @Test func `a changed library takes all that use it along at once`() async throws {
    let user = """
      local step = require "step"
      return { state = { n = 0 }, reducers = { ["x/go"] = function(s) s.n = s.n + step.by() end } }
      """
    let bench = try await Bench(
      [
        "a.lua": user, "b.lua": user, "c.lua": Self.counter(1),
        "lib/step.lua": "local deep = require 'deep.by' return { by = function() return deep end }",
        "lib/deep/by.lua": "return 1",
      ], following: .yes)
    try await bench.events.upTo("started c")
    try await bench.dispatch("x/go")
    try bench.folder.saveAsEmacs("lib/deep/by.lua", "return 100")
    #expect(
      try await bench.events.upTo("reloaded b") == ["reloaded a 1→2 kept", "reloaded b 1→2 kept"])
    try await bench.dispatch("x/go")
    #expect(try await bench.state("a.n") == 101)
    #expect(try await bench.state("b.n") == 101)
    #expect(try await bench.info("c")?.generation == 1)
  }

  @Test func `a library that stops working leaves its users as they were`() async throws {
    let user = "local by = require 'by' " + Self.counter(1).replacing("+ 1", with: "+ by")
    let bench = try await Bench(
      ["a.lua": user, "b.lua": user, "lib/by.lua": "return 2"], following: .yes)
    try bench.folder.save("lib/by.lua", "return +")
    let problem = "running 1: lib/by.lua:1 raised(\"unexpected symbol near '+'\")"
    let failed = try await bench.events.upTo("failed b")
    #expect(failed.suffix(2) == ["failed a \(problem)", "failed b \(problem)"])
    try await bench.dispatch("a/add")
    try bench.folder.remove("lib/by.lua")
    try await bench.events.upTo("failed b")
    try bench.folder.save("lib/by.lua", "return 2")
    #expect(try await bench.events.upTo("recovered b") == ["recovered a 1", "recovered b 1"])
    try bench.folder.save("lib/by.lua", "return 3")
    try await bench.events.upTo("reloaded b 1→2 kept")
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 5)
  }

  @Test func `a module whose library is missing is loaded when that appears`() async throws {
    let bench = try await Bench(
      ["a.lua": "local by = require 'more.by' " + Self.counter(1).replacing("+ 1", with: "+ by")],
      following: .yes)
    try await bench.events.upTo("failed a running none")
    try bench.folder.save("lib/more/by.lua", "return 4")
    try await bench.events.upTo("started a 1")
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 4)
    #expect(try await bench.info("a")?.status == .running)
  }

  @Test func `a library nearer by takes the place of another`() async throws {
    let bench = try await Bench(
      [
        "a.lua": "local by = require 'x.by' return { state = { by = by } }",
        "lib/x/by.lua": "return 'lib'",
      ], following: .yes)
    try bench.folder.save("x/by.lua", "return 'near'")
    try await bench.events.upTo("reloaded a 1→2")
    try bench.folder.remove("x")
    try await bench.events.upTo("reloaded a 2→3")
  }

  @Test func `a new file or folder is a new module`() async throws {
    let bench = try await Bench(["a.lua": Self.counter(1)], following: .yes)
    try await bench.events.upTo("started a")
    try bench.folder.save("b.lua", Self.counter(1))
    #expect(try await bench.events.upTo("started b") == ["started b 1"])
    try bench.folder.save("c/init.lua", Self.counter(1))
    try await bench.events.upTo("started c 1")
    try await bench.dispatch("c/add")
    #expect(try await bench.state() == ["a": ["n": 0], "b": ["n": 0], "c": ["n": 1]])
  }

  @Test func `a deleted module leaves with all that it registered, and comes back with its state`()
    async throws
  {
    let notes = Notes()
    let text = """
      return {
        state = { n = 0 },
        actions = { add = {} },
        reducers = { add = function(s) s.n = s.n + 1 end },
        middleware = { on = "b/add", run = function() return false end },
        observe = { ["b.n"] = function(_, _, self)
          self.dispatch("log/note", { what = "a saw" })
        end },
        on_start = function(self) self.dispatch("log/note", { what = "a starts" }) end,
        on_stop = function(self)
          self.dispatch("add")
          self.dispatch("log/note", { what = "a stops" })
        end,
      }
      """
    let bench = try await Bench(
      ["a.lua": text, "b.lua": Self.counter(1)], following: .yes,
      adding: [
        {
          try Module("log") { log in
            log.reducers.append(
              Reducer(.exact("log/note")) { _, action in
                notes.add(action.payload["what"]?.stringValue ?? "")
              })
          }
        }
      ])
    try await bench.dispatch("a/add")
    try await bench.dispatch("b/add")
    #expect(try await bench.state() == ["a": ["n": 1], "b": ["n": 0]])
    try bench.folder.remove("a.lua")
    try await bench.events.upTo("removed a")
    #expect(notes.all == ["a starts", "a stops"])
    #expect(try await bench.state() == ["b": ["n": 0]])
    #expect(try await bench.info("a") == nil)
    try await bench.dispatch("b/add")
    #expect(await bench.failure(of: "a/add") == .unknownType("a/add", nearest: "b/add"))
    #expect(try await bench.state() == ["b": ["n": 1]])
    try bench.folder.save("a.lua", text.replacing("n = 0 }", with: "n = 0, more = 1 }"))
    try await bench.events.upTo("started a 2")
    // The action that its `on_stop` dispatched was still reduced.
    #expect(try await bench.state("a") == ["n": 2, "more": 1])
    #expect(notes.all == ["a starts", "a stops", "a starts"])
  }

  @Test func `a renamed module is another module`() async throws {
    let bench = try await Bench(["a.lua": Self.counter(1)], following: .yes)
    try await bench.dispatch("a/add")
    try bench.folder.rename("a.lua", "b.lua")
    #expect(try await bench.events.upTo("removed a").suffix(2) == ["started b 1", "removed a"])
    #expect(try await bench.state() == ["b": ["n": 0]])
    try bench.folder.rename("b.lua", "a.lua")
    try await bench.events.upTo("removed b")
    #expect(try await bench.state() == ["a": ["n": 1]])
  }

  @Test func `a module that becomes a folder is the same module`() async throws {
    let bench = try await Bench(["a.lua": Self.counter(1)], following: .yes)
    try await bench.dispatch("a/add")
    try bench.folder.makeDirectory("a")
    try bench.folder.rename("a.lua", "a/init.lua")
    #expect(try await bench.events.upTo("reloaded a").last == "reloaded a 1→2 kept")
    #expect(try await bench.info("a")?.file == "a/init.lua")
    try bench.folder.rename("a", "b")
    try await bench.events.upTo("removed a")
    #expect(try await bench.state() == ["b": ["n": 0]])
  }

  @Test func `a second file of a name is a clash until one is gone`() async throws {
    let bench = try await Bench(["a.lua": Self.counter(1)], following: .yes)
    try bench.folder.save("a/init.lua", Self.counter(5))
    #expect(
      try await bench.events.upTo("failed").last
        == "failed a running 1: a.lua nameTaken(others: [\"a/init.lua\"])")
    try await bench.dispatch("a/add")
    try bench.folder.remove("a")
    try await bench.events.upTo("recovered a 1")
    try bench.folder.save("a/init.lua", Self.counter(5))
    try await bench.events.upTo("failed a running 1")
    try bench.folder.remove("a.lua")
    try await bench.events.upTo("reloaded a 1→2 kept")
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 6)
  }

  @Test func `a broken save leaves the old generation in service until a good one`() async throws {
    let bench = try await Bench(["a.lua": Self.counter(1)], following: .yes)
    try bench.folder.save("a.lua", "return {\n  state = = 1\n}")
    #expect(
      try await bench.events.upTo("failed").last
        == "failed a running 1: a.lua:2 syntax(\"unexpected symbol near '='\")")
    guard case .failed(_, let problems, _) = await bench.events.last("failed a"),
      case .fault(let fault) = problems.first?.reason
    else {
      Issue.record("no fault")
      return
    }
    #expect(fault.excerpt?.lines == ["return {", "  state = = 1", "}"])
    #expect(try await bench.info("a")?.status == .stale)
    #expect(try await bench.info("a")?.problems == problems)
    try await bench.dispatch("a/add")
    try bench.folder.save("a.lua", Self.counter(10))
    try await bench.events.upTo("reloaded a 1→2 kept")
    #expect(try await bench.info("a")?.status == .running)
    #expect(try await bench.info("a")?.problems == [])
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 11)
  }

  @Test func `a broken save that is taken back is recovered from`() async throws {
    let bench = try await Bench(["a.lua": Self.counter(1)], following: .yes)
    try bench.folder.save("a.lua", "return {")
    try await bench.events.upTo("failed a running 1")
    try bench.folder.save("a.lua", Self.counter(1))
    #expect(try await bench.events.upTo("recovered") == ["recovered a 1"])
    #expect(try await bench.info("a")?.status == .running)
  }

  @Test func `a broken module that is deleted and comes back broken is told again`() async throws {
    let bench = try await Bench(["b.lua": Self.counter(1)], following: .yes)
    try await bench.events.upTo("started b")
    try bench.folder.save("a.lua", "return {")
    try await bench.events.upTo("failed a running none")
    try bench.folder.remove("a.lua")
    _ = try await everythingSeen(bench)
    #expect(try await bench.info("a") == nil)
    try bench.folder.save("a.lua", "return {")
    try await bench.events.upTo("failed a running none")
    try bench.folder.save("b.lua", "return {")
    try await bench.events.upTo("failed b running 1")
    try bench.folder.remove("b.lua")
    try await bench.events.upTo("removed b")
    try bench.folder.save("b.lua", "return {")
    try await bench.events.upTo("failed b running none")
  }

  @Test func `half a file that is finished in a moment is no failure`() async throws {
    // Long enough for the delay to end on a busy machine.
    var options = Bench.quiet
    options.trial.retryDelay = .seconds(1)
    let bench = try await Bench(["a.lua": Self.counter(1)], following: .yes, options: options)
    try await bench.events.upTo("started a")
    let text = Self.counter(10)
    try bench.folder.save("a.lua", String(text.prefix(30)))
    try bench.folder.save("b.lua", "")
    try bench.folder.save("a.lua", text)
    try bench.folder.save("b.lua", text)
    #expect(
      try await everythingSeen(bench).sorted() == ["reloaded a 1→2 kept", "started b 1"])
  }

  @Test func `a file that stays empty is a failure`() async throws {
    let bench = try await Bench(["a.lua": Self.counter(1)], following: .yes)
    try bench.folder.save("a.lua", "")
    #expect(
      try await bench.events.upTo("failed").last
        == "failed a running 1: a.lua returned(\"nothing\")")
    try await bench.dispatch("a/add")
  }

  @Test func `after two hundred saves the last one is in service`() async throws {
    // Some saves empty or remove the file first, and a busy machine may stop the test just then.
    var options = Bench.quiet
    options.trial.retryDelay = .seconds(10)
    let bench = try await Bench(["a.lua": Self.counter(0)], following: .yes, options: options)
    for step in 1...200 {
      try save(Save.allCases[step % 3], bench.folder, "a.lua", Self.counter(step))
    }
    try bench.folder.save("a.lua", Self.counter(200) + " -- the last")
    let events = try await everythingSeen(bench)
    #expect(events.filter { !$0.hasPrefix("reloaded a") && !$0.hasPrefix("started a") } == [])
    #expect(events.count <= 202)
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 200)
  }

  @Test func `a directory that vanishes and comes back keeps its modules in service`() async throws
  {
    let bench = try await Bench(["a.lua": Self.counter(1)], following: .yes)
    try await bench.dispatch("a/add")
    try bench.folder.rename("", "../moved")
    try await bench.events.upTo("directory lost")
    try await bench.dispatch("a/add")
    #expect(await bench.host.reload().isEmpty)
    try bench.folder.rename("../moved", "")
    try await bench.events.upTo("directory found")
    try bench.folder.save("a.lua", Self.counter(10))
    try await bench.events.upTo("reloaded a 1→2 kept")
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 12)
  }

  @Test func `a directory that is deleted and made again brings its modules back`() async throws {
    let bench = try await Bench(["a.lua": Self.counter(1)], following: .yes)
    try await bench.dispatch("a/add")
    try bench.folder.remove("")
    try await bench.events.upTo("directory lost")
    try bench.folder.makeDirectory("")
    try await bench.events.upTo("directory found")
    try await bench.events.upTo("removed a")
    #expect(try await bench.state() == .map(Map()))
    try bench.folder.save("a.lua", Self.counter(5))
    try await bench.events.upTo("started a 2")
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 6)
  }

  @Test func `an empty directory fills up while the host runs`() async throws {
    let bench = try await Bench(following: .yes)
    try bench.folder.save("a.lua", Self.counter(1))
    try await bench.events.upTo("started a 1")
    try bench.folder.remove("a.lua")
    try await bench.events.upTo("removed a")
    try bench.folder.save("b.lua", Self.counter(1))
    try await bench.events.upTo("started b 1")
  }
}
