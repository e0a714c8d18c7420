import Moonwire
import Testing

struct CorpusTests {
  /// The minimum number of scripts, so that a missing one is noticed.
  static let scriptsMin = 365

  /// The maximum time that a script may keep a host busy: its budget, the overrun of one
  /// instruction, and an allowance for slow machines.
  static let deadline = Duration.seconds(20)

  @Test func `every file of the corpus says what becomes of it`() {
    #expect(HostileScript.all.count == HostileScript.fileCount)
    #expect(HostileScript.all.count >= Self.scriptsMin)
  }

  @Test(arguments: HostileScript.all)
  func `a hostile module ends as expected, and the others don't notice`(
    script: HostileScript
  ) async throws {
    let clock = ContinuousClock()
    let begun = clock.now
    let lines = Lines()
    let arena = try await Arena(
      hostile: script.module, libraries: script.libraries, budget: script.budget,
      logger: lines.logger)
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
      } else {
        found = await arena.reasons(of: "hostile/go")
      }
      if script.place == .twice { found += await arena.reasons(of: "hostile/go") }
    }
    #expect(begun.duration(to: clock.now) < Self.deadline)
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
    #expect(begun.duration(to: clock.now) < Self.deadline + Self.deadline)
  }

  private func expectHealth(_ arena: Arena) async {
    #expect(await arena.reasons(of: "healthy/go") == [])
    #expect((try? await arena.state("healthy.n")) == 1)
    #expect(await arena.host.reload().count == 2, "both files are looked at again")
    #expect(await arena.reasons(of: "healthy/go") == [])
    #expect((try? await arena.state("healthy.n")) == 2, "its state was kept")
  }
}

extension HostileScript {
  /// The budget of one call of the script.
  fileprivate var budget: Duration {
    if kinds == [.timeout] { return Arena.budget }
    return kinds.contains(.timeout) ? Arena.shortPatience : Arena.patience
  }
}
