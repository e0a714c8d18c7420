import Logging
import MoonTestSupport
import Moonwire
import Testing

/// Two lists, and the items in them.
private struct Lists: Feature {
  struct State: FeatureState { var opened = 0 }
  struct Open: TypedAction { var list: Int }
  struct Wait: TypedAction {}
  struct Weigh: TypedAction { var kilos: Double }

  var body: some Registrations {
    Reducer { (state: inout State, action: Open) in state.opened = action.list }
    Effect { (_: Wait, context) in _ = try await context.take("lists/never") }
    Route("/lists/:list<int>") { route, context in
      Screen(title: "List \(route["list"]) of \(context.slice["opened"] ?? 0)")
    }
    Route(
      "/lists/:list<int>/:item", parent: "/lists/:list<int>",
      when: { route, _ in route["item"] == "none" ? nil : ["asked": true] }
    ) { route in Screen(kind: "item", title: "Item \(route["item"]), \(route["asked"])") }
    View("item") { (screen, state: State) in
      "It is \(screen["item"]) of list \(state.opened)\(screen["nothing"])."
      Element.slot("more")
    }
  }
}

private struct Orphan: Feature {
  var body: some Registrations {
    Route("/a", parent: "/b/:c") { _ in Screen(title: "") }
  }
}

/// What programs do with a session beside dispatching.
@Suite(.timeLimit(.minutes(2))) struct HeldSessionTests {
  private func opened() async throws -> (Host, HostSession) {
    var options = HostOptions()
    options.timeline = Timeline.Limits()
    options.logger.logLevel = .critical
    let host = try await Host(nil, features: [Lists()], options: options)
    return (host, try await host.session())
  }

  @Test func `a session goes back, changes what was, and goes on`() async throws {
    let (host, session) = try await opened()
    var ids: [Int64] = []
    for list in 1...3 { ids.append(try await session.dispatch(Lists.Open(list: list)).id) }
    try await session.travel(to: .back(2))
    #expect(try await session.state(Lists.State.self).opened == 1)
    let refused = await #expect(throws: DispatchError.self) {
      try await session.dispatch(Lists.Open(list: 9))
    }
    #expect(refused.map { "\($0)" }?.contains("1/3") == true)
    try await session.travel(to: .present)
    try await session.carryOut(.toggle(ids[2]))
    #expect(try await session.state(Lists.State.self).opened == 2)
    try await session.carryOut(.sweep)
    try await session.undo()
    #expect(try await session.state(Lists.State.self).opened == 1)
    #expect(await session.timeline?.count == 1)
    await #expect(throws: TimelineError.self) { try await session.travel(to: .position(7)) }
    await host.close()
  }

  @Test func `actions of several types run as one`() async throws {
    let (host, session) = try await opened()
    try await session.dispatch([Lists.Open(list: 1), Lists.Open(list: 2)])
    #expect(try await session.state(Lists.State.self).opened == 2)
    #expect(await session.timeline?.count == 1)
    let error = await #expect(throws: DispatchError.self) {
      try await session.dispatch([Lists.Open(list: 3), Lists.Weigh(kilos: .nan)])
    }
    #expect(error.map { "\($0)" }?.hasPrefix("the payload of lists/weigh can't be kept") == true)
    #expect(try await session.state(Lists.State.self).opened == 2)
    await host.close()
  }

  @Test func `a timeline, its steps and a screen are printed in few words`() async throws {
    let (host, session) = try await opened()
    try await session.dispatch([Lists.Open(list: 1), Lists.Open(list: 2)])
    let second = try await session.dispatch(Lists.Open(list: 3)).id
    try await session.carryOut(.toggle(second))
    try await session.travel(to: .back(1))
    let timeline = try #require(await session.timeline)
    #expect("\(timeline)" == "1/2 steps")
    #expect(
      timeline.steps.map { "\($0)" } == [
        #"#1 lists/open {"list":1}, lists/open {"list":2}"#,
        ##"#\##(second) lists/open {"list":3} (left out)"##,
      ])
    try await session.travel(to: .present)
    try await session.carryOut(.lock(true))
    #expect(await session.timeline.map { "\($0)" } == "2/2 steps, locked")
    try await session.carryOut(.lock(false))
    try await session.route("/lists/1")
    #expect(await session.screen.map { "\($0)" } == "List 1 of 2")
    try await session.route("/lists/2/milk", option: .push)
    #expect(await session.screen.map { "\($0)" } == "Item milk, true\n  It is milk of list 2.")
    await host.close()
  }

  @Test func `without a timeline, an error says what gives one`() async throws {
    let session = try await Host(nil, features: [Lists()]).session()
    let error = await #expect(throws: TimelineError.self) { try await session.undo() }
    #expect(error.map { "\($0)" }?.contains("HostOptions.timeline") == true)
    await session.host.close()
  }

  @Test func `a session tells what is shown and running, and ends a task`() async throws {
    let (host, session) = try await opened()
    #expect(await session.canRoute("/lists/1"))
    #expect(await !session.canRoute("/lists/x"))
    #expect(try await session.screen(for: "/lists/1").title == "List 1 of 0")
    #expect(await session.navigation?.topScreen == nil)
    try await session.route("/lists/2/milk", option: .push)
    #expect(await session.navigation?.screens.map(\.title) == ["List 2 of 0", "Item milk, true"])
    await #expect(throws: DispatchError.self) { try await session.route("/lists/2/none") }

    try await session.dispatch(Lists.Wait())
    // What the effect waits for may be a task of its own by now.
    let task = try #require(await session.tasks.first)
    #expect(task.action.type == "lists/wait")
    #expect(await session.cancel(task.id))
    #expect(await session.tasks.isEmpty)
    #expect(await !session.cancel(task.id))
    await host.close()
    #expect(await session.navigation == nil)
    #expect(await session.tasks.isEmpty)
  }

  @Test func `whoever watches the screen hears of each drawing`() async throws {
    let (host, session) = try await opened()
    let events = await session.events
    await session.watchScreen()
    try await session.route("/lists/1")
    var titles: [Text?] = []
    for await event in events {
      guard case .screenChanged(session.id, let shown) = event else { continue }
      titles.append(shown?.screen.title)
      break
    }
    #expect(titles == ["List 1 of 0"])
    await host.close()
  }

  @Test func `a parent that doesn't fit its route is an error of the feature`() async throws {
    let error = await #expect(throws: HostError.self) {
      _ = try await Host(nil, features: [Orphan()])
    }
    #expect(
      error.map { "\($0)" }
        == "'/b/:c' in orphan is no pattern of a route: its parameter :c isn't one of the route's, "
        + "which has none")
  }

  @Test func `a module gets the parts that a program finds out at run time`() async throws {
    let host = try Host(directory: nil)
    var module = Module(name: ModuleName(literal: "made"))
    for word in ["red", "blue"] {
      try module.register {
        Route(Text("/\(word)")) { _ in Screen(title: Text(word)) }
        Command(word) { (_: Value, _) in .string(Text("so \(word)")) }
      }
    }
    let twice = #expect(throws: FeatureError.self) {
      try module.register { Command("red") { (_: Value, _) in nil } }
    }
    #expect(twice.map { "\($0)" } == "made registers command red twice: make one of them")
    let malformed = #expect(throws: FeatureError.self) {
      try module.register { Route("/a/*/b") { _ in nil } }
    }
    #expect(malformed.map { "\($0)" }?.hasPrefix("'/a/*/b' in made is no pattern") == true)

    var other = Module(name: ModuleName(literal: "made"))
    try other.register { Route("/green") { _ in Screen(title: "green") } }
    try await host.add(other)
    let session = try await host.session()
    try await session.route("/green")
    #expect(await session.screen?.screen.title == "green")
    await host.close()
  }
}
