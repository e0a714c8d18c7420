import MoonLua
import MoonModules
import MoonSession
import MoonValues

/// The functions for services, settings and requests.
enum ServiceFunctions {
  static let all: [HostFunction] = [
    // Calls a function of a service: `("http.get", …)`.
    HostFunction("service", takesBytes: true, replay: .callingService) { call throws(HostRefusal) in
      try call.bindings.services.call(call)
    },
    // Describes a service, or names all.
    HostFunction("services", replay: .live) { call in
      .results(call.bindings.services.describe(call[0]?.stringValue))
    },
    HostFunction("closeHandle", replay: .live) { call throws(HostRefusal) in
      guard call.module != nil else { return .nothing }
      _ = try call.taskSession()
      if let id = call[0]?.intValue { try call.run().closeHandle(id) }
      return .nothing
    },
    HostFunction(
      "settings",
      [
        ScriptWord("self.settings: table", "the values of the module's settings, as a table")
      ]
    ) { call in
      .results(call.bindings.services.settings(of: call.module, call.bindings.activity))
    },
    HostFunction(
      "granted",
      [
        ScriptWord(
          "moon.granted(scope: string): boolean",
          "whether the module may use a scope, such as an optional one")
      ]
    ) { call throws(HostRefusal) in
      .result(.value(.bool(try call.bindings.services.isGranted(call))))
    },
    // The reason that no requests are made now, or nil.
    HostFunction(
      "requestRefusal",
      [
        ScriptWord(
          "self.handle(parts: table): boolean",
          "makes a request from `{ request = f, loading, success, failure, map_success, "
            + "map_failure }`, with an action for each of its stages; returns whether the "
            + "request succeeded")
      ], atPrompt: HostFunction.noTasksAtPrompt
    ) { call in
      let refusal = call.module.flatMap {
        call.bindings.activity.call?.session.taskState.requestSwitch.refusal(of: $0)
      }
      return .result(refusal.map { .value(.string(Text("\($0)"))) } ?? .none)
    },
  ]
}
