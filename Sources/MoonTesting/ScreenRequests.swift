import Moonwire

/// What a test does on the screen on top.
struct ScreenRequests {
  typealias Reply = FunctionTestRun.Reply

  let app: TestedApp

  func carryOut(_ name: String, _ request: Map) async -> Reply {
    switch name {
    case "tap": await tap(request)
    case "press": await press(request)
    case "scroll": await scroll(request)
    case "input": await input(request["values"])
    default: await screen()
    }
  }

  private func tap(_ request: Map) async -> Reply {
    let control: ScreenControl =
      request["number"]?.intValue.map { .number(Int(clamping: $0)) }
      ?? .name(request["control"]?.stringValue ?? "")
    do throws(ScreenError) {
      try await app.host.use(control, in: app.session)
      return .value(.null)
    } catch {
      app.faults.note(error)
      return Reply(error)
    }
  }

  private func press(_ request: Map) async -> Reply {
    let keys = request["keys"]?.stringValue ?? ""
    let focused = request["control"]?.intValue.map { Int(clamping: $0) }
    if request["control"] != nil, focused == nil {
      return .failure("t.press takes the number of a control second")
    }
    do throws(ScreenError) {
      _ = try await app.host.perform { [session = app.session] (host) throws(ScreenError) in
        try session.press(keys, focused: focused, on: host)
      }
      return .value(.null)
    } catch {
      app.faults.note(error)
      return Reply(error)
    }
  }

  private func scroll(_ request: Map) async -> Reply {
    guard let row = request["row"]?.intValue else {
      return .failure("t.scroll takes the number of a row second")
    }
    do throws(ScreenError) {
      let list = request["list"]?.stringValue ?? ""
      try await app.host.perform { [session = app.session] (host) throws(ScreenError) in
        try session.scroll(list: list, to: Int(clamping: row), on: host)
      }
      return .value(.null)
    } catch {
      return Reply(error)
    }
  }

  private func input(_ values: Value?) async -> Reply {
    let texts = (values?.mapValue ?? Map()).map {
      (input: $0.0.description, text: $0.1.stringValue ?? "")
    }
    do throws(ScreenError) {
      try await app.host.fill(texts, in: app.session)
      return .value(.null)
    } catch {
      return Reply(error)
    }
  }

  private func screen() async -> Reply {
    guard let shown = await app.host.shownScreen(in: app.session) else { return .value(.null) }
    if let failure = shown.failure { return .failure("the screen can't be shown: \(failure)") }
    let lines = shown.lines(width: 80).map(\.text)
    return .value([
      "id": .string(shown.screen.id), "kind": .string(shown.screen.kind),
      "title": .string(shown.screen.title), "lines": .texts(lines.filter { !$0.isEmpty }),
    ])
  }
}
