import Moonwire
import Testing

@Suite struct SuspensionTests {
  private static let failing = """
    return require("moonwire").module { state = { n = 0 }, reducers = {
      go = function(state, payload)
        if payload ~= true then error("no") end
        state.n = state.n + 1
      end,
      spin = function(state) while true do end end } }
    """

  @Test func `a module that fails again and again is left alone until it is resumed`() async throws
  {
    let arena = try await Arena(hostile: Self.failing)
    let name = try #require(ModuleName("hostile"))
    let max = HostOptions().faultsMax
    for _ in 0..<max { #expect(await arena.reasons(of: "hostile/go") == [.error("no")]) }
    #expect(await arena.reasons(of: "hostile/go") == [.suspended])
    #expect(await arena.host.moduleInfos().map(\.status) == [.running, .suspended])
    #expect(await arena.reasons(of: "healthy/go") == [])
    #expect(await arena.host.resume(name))
    #expect(await arena.host.resume(name) == false)
    #expect(await arena.reasons(of: "hostile/go") == [.error("no")])
    #expect(await arena.host.moduleInfos().map(\.status) == [.running, .running])
  }

  @Test func `one success doesn't save a module, and a reload ends the suspension`() async throws {
    let arena = try await Arena(hostile: Self.failing)
    let max = HostOptions().faultsMax
    for _ in 1..<max { _ = await arena.reasons(of: "hostile/go") }
    _ = try await arena.host.dispatch(Action("hostile/go", true), to: arena.session)
    #expect(await arena.reasons(of: "hostile/go") == [.error("no")])
    #expect(await arena.reasons(of: "hostile/go") == [.suspended])
    await arena.host.reload()
    #expect(await arena.reasons(of: "hostile/go") == [.error("no")])
  }

  @Test func `what costs a whole budget counts more`() async throws {
    let arena = try await Arena(hostile: Self.failing, budget: .milliseconds(50))
    for _ in 0..<4 { #expect(await arena.reasons(of: "hostile/spin") == [.timeout]) }
    #expect(await arena.reasons(of: "hostile/spin") == [.suspended])
  }

  @Test func `what is suspended and resumed is told once, with the count of faults`() async throws {
    let arena = try await Arena(hostile: Self.failing, budget: .milliseconds(50))
    let name = try #require(ModuleName("hostile"))
    let events = arena.host.events()
    for _ in 0..<6 { _ = await arena.reasons(of: "hostile/spin") }
    await arena.host.resume(name)
    await arena.host.resume(name)
    await arena.host.close()
    var told: [String] = []
    for await event in events {
      switch event {
      case .suspended(let module, let fault, let count):
        told.append("\(module) by \(fault.registration.name) after \(count)")
      case .resumed(let module): told.append("\(module) resumed")
      default: break
      }
    }
    #expect(told == ["hostile by hostile/spin after 4", "hostile resumed"])
  }
}
