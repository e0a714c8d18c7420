import Glibc
import MoonServices
import MoonTestServer
import MoonTestSupport
import Moonwire
import Testing

/// Invariant 3: no script runs without end.
///
/// Invariant 11: what has no end meets a limit, and the other modules go on.
///
/// How long a script may keep a host busy depends on the machine and on what else it does, so the
/// limit is only for those that never end.
@Suite(.timeLimit(.minutes(5))) struct CorpusTests {
  /// The minimum number of scripts, so that a missing one is noticed.
  static let scriptsMin = 454

  @Test func `every file of the corpus says what becomes of it`() {
    #expect(HostileScript.all.count == HostileScript.fileCount)
    #expect(HostileScript.all.count >= Self.scriptsMin)
  }

  @Test(arguments: HostileScript.tried.filter { $0.place != .service })
  func `a hostile module ends as expected, and the others don't notice`(
    script: HostileScript
  ) async throws {
    try await attack(with: script)
  }

  @Test(arguments: HostileScript.tried.filter { $0.place == .service })
  func `a hostile module with services does too, and nothing is left running`(
    script: HostileScript
  ) async throws {
    try await withTestServer { server in
      let folder = try await attack(with: script, at: server.port)
      await server.isIdle()
      let ids = TextFile.contents(of: folder.path("data/ids")).split(separator: "\n")
      for id in ids.compactMap({ pid_t($0) }) {
        while !ProcessTable.hasEnded(id) { await Task.yield() }
      }
    }
  }

  /// Runs a script and checks what comes of it; returns its folder.
  @discardableResult
  private func attack(with script: HostileScript, at port: Int? = nil) async throws -> ScriptFolder
  {
    let lines = Lines()
    let arena = try await Arena(
      hostile: script.module.replacing(
        ":\(HostileScript.portMark)\"", with: ":\(port ?? 0)\""),
      libraries: script.libraries, budget: script.budget,
      restTime: port == nil || script.rests ? Arena.restTime : Arena.serviceRestTime,
      services: port == nil ? [] : Self.services, logger: lines.logger)
    let found = try await reasons(of: script, in: arena)
    switch script.kinds[0] {
    case .timeout, .memory, .error:
      #expect(!found.isEmpty)
      let kinds = Set(found.compactMap(\.kind))
      #expect(kinds.isSubset(of: script.kinds) && !kinds.isEmpty, "\(found.prefix(3))")
    case .refused, .survives: #expect(found == [])
    }
    let hasRun = lines.texts.contains(HostileScript.sign)
    // Nothing of a file that isn't Lua runs; its error is the result.
    #expect(hasRun || script.place == .load && script.kinds == [.error])
    if script.kinds == [.refused] { #expect(try await arena.state("hostile.held") == true) }
    await expectHealth(arena)
    if script.place != .load {
      // A killed module is in service again with its state; a failed one never left service.
      #expect(await arena.problems() == [])
      if let name = ModuleName("hostile") { _ = await arena.host.resume(name) }
      let kinds = await arena.reasons(of: "hostile/go2").compactMap(\.kind)
      #expect(Set(kinds).isSubset(of: script.kinds))
    }
    await arena.host.close()
    return arena.folder
  }

  /// Lets a script do its work; returns the reasons for its failures.
  private func reasons(of script: HostileScript, in arena: Arena) async throws -> [Reason] {
    var found = await arena.problems()
    if script.place == .onStart {
      // Faults of on_start are reported as events. Otherwise they only show as a new generation.
      let infos = await arena.host.moduleInfos()
      found = infos.contains { $0.name.text == "hostile" && $0.generation > 1 } ? [.timeout] : []
      #expect(await arena.reasons(of: "hostile/go") == [])
    } else if script.place != .load {
      #expect(found == [])
      if let url = script.place.url {
        found = await arena.reasons(opening: Text(url))
        if script.place == .view { found += await arena.reasonsOfLooking() }
      } else if script.tasksMustFail {
        found = await arena.reasonsToCome(of: "hostile/go")
      } else {
        found = await arena.reasons(of: "hostile/go")
      }
      if script.place == .twice { found += await arena.reasons(of: "hostile/go") }
    }
    return found
  }

  /// All services, with a storage that is soon full.
  private static var services: [Service] {
    var limits = StorageLimits()
    limits.moduleBytesMax = 1 << 20
    return Service.standard.filter { $0.name != "storage" } + [.storage(limits: limits)]
  }

  private func expectHealth(_ arena: Arena) async {
    #expect(await arena.reasons(of: "healthy/go", in: "healthy") == [])
    #expect((try? await arena.state("healthy.n")) == 1)
    // A script may have made more files.
    #expect(await arena.host.reload().count >= 2, "both files are looked at again")
    #expect(await arena.reasons(of: "healthy/go", in: "healthy") == [])
    #expect((try? await arena.state("healthy.n")) == 2, "its state was kept")
  }
}

extension HostileScript {
  /// Whether its effect ends with a fault, which may come later than the action's outcome.
  fileprivate var tasksMustFail: Bool {
    place == .effect && ![.refused, .survives].contains(kinds[0])
  }

  /// The budget of one call of the script.
  fileprivate var budget: Duration {
    if kinds == [.timeout] { return Arena.budget }
    return kinds.contains(.timeout) ? Arena.shortPatience : Arena.patience
  }
}
