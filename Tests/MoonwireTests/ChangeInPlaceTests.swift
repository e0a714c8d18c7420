import MoonTestSupport
import Moonwire
import Testing

/// A slice that is changed in place becomes what it would if it was copied.
@Suite(.timeLimit(.minutes(5))) struct ChangeInPlaceTests {
  /// A module whose slice is changed in place: one reducer receives each action.
  private static let module = """
    local moon = require "moonwire"
    return {
      state = { n = 0, dice = {}, list = {}, deep = { a = { b = { c = 0 } } }, seen = {} },
      actions = { typed = { by = "integer" } },
      reducers = {
        add = function(s, p) s.n = s.n + (p.by or 1) end,
        typed = function(s, p) s.n = s.n + p.by end,
        roll = function(s) s.dice[#s.dice + 1] = moon.random(1000) end,
        push = function(s, p) s.list[#s.list + 1] = p.value end,
        deep = function(s, p) s.deep.a.b.c = p.value end,
        same = function(s) s.n = s.n end,
        fail = function(s) s.n = -1 error("no luck") end,
        fail_later = function(s) s.n = -1 s.deep.a.b = 1 s.x = "x" s.n = -2 error("no luck") end,
        longer = function(s, p) s.n = "a text that is longer than two words: " .. p.value end,
        twice = function(s, p) s.n = p.value s.n = -p.value end,
        both = function(s, p) s.n = p.value s.x = { p.value } s.deep.a.b.c = 1 end,
        drop = function(s) s.x = nil end,
        returned = function(s, p) return { n = p.value, dice = {}, list = {}, seen = s.seen,
          deep = s.deep } end,
        seen = function(s, p) s.seen[#s.seen + 1] = p.what end,
      },
      observe = {
        ["m.n"] = function(new, old, self)
          if new == 13 then error("thirteen") end
          self.dispatch("seen", { what = { "n", new, old } })
        end,
        ["m.deep.a.b.c"] = function(new, old, self)
          self.dispatch("seen", { what = { "c", new, old } })
        end,
      },
    }
    """

  /// A module whose tasks wait for an action and for a change.
  private static let waiting = """
    local moon = require "moonwire"
    return {
      state = { told = {} },
      reducers = { tell = function(s, p) s.told[#s.told + 1] = p.what end },
      effects = { begin = function(_, self)
        moon.spawn(function()
          local action = moon.take("m/push")
          self.dispatch("tell", { what = { "took", action.payload } })
        end)
        moon.spawn(function()
          moon.when("m.list")
          self.dispatch("tell", { what = "changed" })
        end)
      end },
    }
    """

  /// Makes a host that changes slices in place, or one on which middleware lets all actions pass,
  /// so that it copies them.
  private func bench(
    _ files: [String: String], inPlace: Bool, keeping limits: Timeline.Limits = .none
  ) async throws -> Bench {
    var options = Bench.quiet
    options.timeline = limits
    let families: [Text] = inPlace ? [] : ["m/", "waiting/"]
    return try await Bench(
      files, options: options,
      adding: [
        {
          try Module("watcher") { module in
            module.middleware = families.map { family in
              Middleware(.family(prefix: family)) { _, _, _ in .pass }
            }
          }
        }
      ])
  }

  private func action(_ random: inout SplitMix64) -> Action {
    let number = Value.int(Int64(random.below(20)))
    switch random.below(17) {
    case 0: return Action("m/add")
    case 1: return Action("m/add", ["by": number])
    case 2: return Action("m/typed", random.once(in: 3) ? ["by": "x"] : ["by": number])
    case 3: return Action("m/roll")
    case 4: return Action("m/push", ["value": [number, "x"]])
    case 5: return Action("m/deep", ["value": number])
    case 6: return Action("m/same")
    case 7: return Action("m/fail")
    case 8: return Action("m/returned", ["value": number])
    case 9: return Action("m/gone")
    case 10: return Action("waiting/begin")
    case 11: return Action("m/fail_later")
    case 12: return Action("m/longer", ["value": number])
    case 13: return Action("m/twice", ["value": number])
    case 14: return Action("m/both", ["value": number])
    case 15: return Action("m/drop")
    default: return Action("m/push", ["value": "y"])
    }
  }

  /// Dispatches an action; returns what its dispatcher learns of it.
  private func result(of action: Action, on bench: Bench) async -> [String] {
    do throws(DispatchError) {
      let outcome = try await bench.host.dispatch(action, to: bench.session)
      return ["\(outcome.id)", "\(outcome.followingCount)"] + outcome.summary
        + outcome.faults.map(\.description) + outcome.failures.map { "\($0.error)" }
    } catch {
      return ["\(error)"]
    }
  }

  private func steps(of bench: Bench) async -> [String] {
    (await bench.host.timeline(of: bench.session)?.steps ?? []).map { step in
      "\(step.id) \(step.action.value.canonicalText) \(step.others.count) \(step.isMapped) "
        + step.state.canonicalText
    }
  }

  private func entries(of bench: Bench) async -> [String] {
    await bench.host.history(of: bench.session).entries.map {
      "\($0.action.value.canonicalText) \($0.result)"
    }
  }

  @Test(arguments: UInt64(1)...10, [Timeline.Limits.none, Timeline.Limits()])
  func `the results, the states, the history and the timeline are the same`(
    seed: UInt64, limits: Timeline.Limits
  ) async throws {
    var random = SplitMix64(seed: seed)
    let files = ["m.lua": Self.module, "waiting.lua": Self.waiting]
    let plain = try await bench(files, inPlace: true, keeping: limits)
    let watched = try await bench(files, inPlace: false, keeping: limits)
    for _ in 0..<120 {
      let action = action(&random)
      let results = (
        await result(of: action, on: plain), await result(of: action, on: watched)
      )
      #expect(results.0 == results.1, "\(action.value.canonicalText)")
    }
    let (steps, others) = (await steps(of: plain), await steps(of: watched))
    #expect(steps == others)
    #expect(limits == .none ? steps.isEmpty : steps.count > 60)
    #expect(await entries(of: plain) == entries(of: watched))
    #expect(try await plain.state() == watched.state())
    #expect(try await plain.state("waiting.told")?.listValue?.isEmpty == false)
  }

  @Test(arguments: UInt64(1)...10)
  func `a state that somebody holds stays as it was`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let files = ["m.lua": Self.module, "waiting.lua": Self.waiting]
    let bench = try await bench(files, inPlace: true)
    var held: [(outcome: Outcome, before: String, after: String)] = []
    var before = try #require(await bench.state()).canonicalText
    for _ in 0..<120 {
      do throws(DispatchError) {
        let outcome = try await bench.host.dispatch(action(&random), to: bench.session)
        let after = outcome.after.canonicalText
        // What nobody holds is changed in place.
        if random.once(in: 3) { held.append((outcome, before, after)) }
        before = after
      } catch {
        // What failed may have been followed by others that didn't.
        before = await bench.host.state(of: bench.session)?.canonicalText ?? ""
      }
    }
    for (outcome, before, after) in held {
      #expect(outcome.before.canonicalText == before)
      #expect(outcome.after.canonicalText == after)
      #expect(outcome.hasChangedState || before == after)
    }
  }

  @Test func `an observer's failure and a reader outside are as on the other way`() async throws {
    let plain = try await bench(["m.lua": Self.module], inPlace: true)
    let watched = try await bench(["m.lua": Self.module], inPlace: false)
    for bench in [plain, watched] {
      let states = await bench.host.states(of: bench.session)
      let outcome = try await bench.dispatch("m/add", ["by": 13])
      #expect(outcome.faults.map(\.registration.kind) == [.observer])
      var read = states.makeAsyncIterator()
      while let state = await read.next(), state["m"]?["n"] != 13 {}
    }
    #expect(try await plain.state() == watched.state())
  }

  @Test(arguments: ["m/same", "*"])
  func `what a middleware made of an action is undone if a later part of it fails`(
    pattern: String
  ) async throws {
    var options = Bench.quiet
    options.timeline = .none
    let bench = try await Bench(
      ["m.lua": Self.module], options: options,
      adding: [
        {
          try Module("replacer") { module in
            let pattern = try #require(ActionPattern(pattern, owner: "replacer"))
            module.middleware = [
              Middleware(pattern) { action, _, _ in
                action.type == "m/same" ? .replace([Action("m/add"), Action("m/fail")]) : .pass
              }
            ]
          }
        }
      ])
    // As text, since a state that is held isn't changed in place.
    let before = try await bench.state()?.canonicalText
    await #expect(throws: DispatchError.self) { try await bench.dispatch("m/same") }
    #expect(try await bench.state()?.canonicalText == before)
  }
}
