public import Moonwire

/// An event in the life of a program that runs an app.
public enum ProgramEvent: String, Sendable, CaseIterable {
  /// The session is open, and all modules have started.
  case started
  /// The program is about to be suspended, as by Ctrl-Z.
  case suspended
  /// The program has resumed.
  case resumed
  /// The program is about to end.
  case willTerminate = "will_terminate"
  /// The system is short of memory.
  case memoryWarning = "memory_warning"

  /// The action that announces it, such as `app/started`.
  public var action: Action { Action(Text("app/\(rawValue)")) }

  /// The types of all actions.
  static let types = Set(allCases.map(\.action.type))

  /// Announces the event in a session, if ``BuiltIn/lifecycle`` or another module knows its action.
  ///
  /// Call it when the event occurs. Events that the program doesn't report aren't announced; only
  /// `started` and `memoryWarning` are announced by ``BuiltIn/lifecycle`` itself.
  public func announce(
    in session: SessionID, on host: Host, showing show: @escaping BuiltIn.Show = { _ in }
  ) async {
    await action.tell(session, on: host, show)
  }
}

extension BuiltIn {
  /// `lifecycle`: announces with `app/started`, `app/suspended`, `app/resumed`,
  /// `app/will_terminate` and `app/memory_warning` what happens to the program.
  ///
  /// Its slice holds the last event other than warnings: `{phase = "started"}`.
  public static let lifecycle = BuiltIn(
    "lifecycle", "Announces what happens to the program, as app/started and other actions",
    accompanying: { session, host, surroundings in
      await ProgramEvent.started.announce(in: session, on: host, showing: surroundings.show)
      let isWatching = MemoryPressure.ofProcess.watch { [weak host] in
        guard let host, await host.state(of: session) != nil else { return false }
        await ProgramEvent.memoryWarning.announce(
          in: session, on: host, showing: surroundings.show)
        return true
      }
      if !isWatching {
        surroundings.show(
          "lifecycle: this system doesn't tell when memory is short, so app/memory_warning"
            + " never comes")
      }
    }
  ) { module, _ in
    module.state = ["phase": "starting"]
    module.reducers = ProgramEvent.allCases.map { event in
      Reducer(announced: event.action.type) { slice, _ in
        if event != .memoryWarning { slice = ["phase": .string(Text(event.rawValue))] }
      }
    }
  }
}
