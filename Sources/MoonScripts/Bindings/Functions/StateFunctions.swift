import MoonCards
import MoonLua
import MoonModules
import MoonNavigation
import MoonRouting
import MoonSession
import MoonValues

/// The functions that look at the state, the routes and the screens, and fill in inputs.
enum StateFunctions {
  static let all: [HostFunction] = [
    HostFunction(
      "state",
      [
        ScriptWord(
          "self.state(path: string?): any",
          "a read-only view of the whole state, or of a part of it")
      ]
    ) { call throws(HostRefusal) in
      let session = try call.session("is no state")
      let path = try call.path(0, example: "todo.items[3].title")
      session.noteRead(of: path.components.first?.mapKey)
      guard let value = session.stateValue.value(at: path) else { return .result(.none) }
      return .result(.view(value, name: call.text(0)))
    },
    HostFunction(
      "url",
      [
        ScriptWord(
          "moon.url(name: string, params: table?): string",
          "the URL of the route with that name; not available in reducers")
      ]
    ) { call throws(HostRefusal) in
      let session = try call.session("are no routes")
      guard let parameters = call[1].map(\.mapValue) ?? Map() else {
        throw .refused("moon.url takes its parameters as a table such as {id = 7}")
      }
      do throws(RouteURLError) {
        let router = session.modules.registry.router
        return .result(.value(.string(try router.url(for: Text(call.text(0)), parameters))))
      } catch {
        throw .refused("\(error)")
      }
    },
    HostFunction(
      "canRoute",
      [
        ScriptWord("self.can_route(url: string): boolean", "whether a pattern matches a URL")
      ]
    ) { call throws(HostRefusal) in
      let router = try call.session("are no routes").modules.registry.router
      return .result(.value(.bool(router.firstRoute(taking: Text(call.text(0))) != nil)))
    },
    HostFunction(
      "top",
      [
        ScriptWord(
          "self.top(window: string?): table?",
          "the screen on top of the window with that id, by default the key window")
      ]
    ) { call throws(HostRefusal) in
      let session = try call.session("are no screens")
      session.noteRead(of: NavigationState.key)
      let tree = session.navigationTree
      guard let window = call[0]?.textValue ?? tree.keyWindowID,
        tree.windows.contains(where: { $0.id == window })
      else {
        throw .refused("there is no window '\(call.text(0))'")
      }
      return .result(tree.topScreen(ofWindow: window).map { .value($0.value) } ?? .none)
    },
    HostFunction(
      "size",
      [
        ScriptWord(
          "self.size(): number?, number?",
          "the columns and rows for a screen of the terminal that shows the app, in a view; "
            + "nothing if no terminal does")
      ]
    ) { call throws(HostRefusal) in
      let size = try call.registration("there are no screens while a module is loaded").context
        .screenSize
      guard let size else { return .nothing }
      return .results([.value(.int(Int64(size.columns))), .value(.int(Int64(size.rows)))])
    },
    HostFunction(
      "visibleRows",
      [
        ScriptWord(
          "self.visible_rows(id: string, count: number): number, number",
          "the first and the last row to draw of a list with that many rows, in a view")
      ]
    ) { call throws(HostRefusal) in
      let context = try call.registration("there are no screens while a module is loaded").context
      guard let id = call[0]?.textValue, let count = call[1]?.intValue,
        0...Int64(CardList.rowCountMax) ~= count
      else {
        throw .refused(
          "self.visible_rows takes the id of a list and its number of rows, at most "
            + "\(CardList.rowCountMax)")
      }
      let rows = context.visibleRows(ofList: id, rowCount: Int(count))
      return .results([
        .value(.int(Int64(rows.lowerBound) + 1)), .value(.int(Int64(rows.upperBound))),
      ])
    },
    HostFunction(
      "screen",
      [
        ScriptWord(
          "self.screen(url: string, params: table?): table?, string?",
          "the screen of a URL with the `body` that its view draws, without showing it")
      ], atPrompt: HostFunction.noTasksAtPrompt, replay: .waiting
    ) { call throws(HostRefusal) in
      _ = try call.taskSession()
      guard let parameters = Redirect.parameters(call[1]) else {
        throw .refused("self.screen takes its parameters as a table such as {id = 7}")
      }
      return .waits(.request(.screen(Text(call.text(0)), passing: parameters)))
    },
    HostFunction(
      "input",
      [
        ScriptWord(
          "self.input(id: string, value: any?, screen: string?)",
          "fills in an input of the module's screen on top, or else of its last one, or of "
            + "the screen with that id; without a value, clears the input")
      ], atPrompt: "inputs are filled in with :input at the prompt"
    ) { call throws(HostRefusal) in
      let context = try call.registration("there are no screens while a module is loaded").context
      do throws(InputRequestError) {
        try context.fill(Text(call.text(0)), with: call[1], on: call[2]?.textValue)
      } catch {
        throw .refused("\(error)")
      }
      return .nothing
    },
    // Checks a routing option.
    HostFunction("option", replay: .live) { call throws(HostRefusal) in
      do throws(RoutingOptionError) {
        _ = try RoutingOption(reading: call[0] ?? .null)
      } catch {
        throw .refused("\(error)")
      }
      return .nothing
    },
  ]
}
