package import MoonServices
package import Moonwire

/// A session of a host, as used by lines of the prompt or of a script.
package struct PromptSession: Sendable {
  package let host: Host
  package let id: SessionID
  package let log: LogRing
  let cause: Cause
  /// Where modules' settings come from; nil if nothing gives any.
  package let settings: ConfiguredSettings?
  /// The grants that a file keeps; nil if none does.
  package let keptGrants: KeptGrants?
  /// The keys of the person; nil if no file has any.
  package let keys: KeysFile?
  /// The part of the last answer that wasn't shown.
  let rest = AnswerPager()
  /// The recording that `:record` has begun.
  let recording = PromptRecording()
  /// The longest time that a called command may take; nil at a prompt, where a person can end it.
  let callTimeMax: Duration?
  /// Whether a line waits for the answer of a command, or in the Lua that it evaluates.
  package let call = CallInProgress()
  /// What the person sees who uses the screen on top.
  private(set) var seen = SeenScreen()

  package init(
    host: Host, id: SessionID, log: LogRing, cause: Cause, settings: ConfiguredSettings? = nil,
    keptGrants: KeptGrants? = nil, keys: KeysFile? = nil, callTimeMax: Duration? = nil
  ) {
    self.host = host
    self.id = id
    self.log = log
    self.cause = cause
    self.settings = settings
    self.keptGrants = keptGrants
    self.keys = keys
    self.callTimeMax = callTimeMax
  }

  /// Returns the same for lines of somebody else, in a session.
  package func with(_ id: SessionID, _ cause: Cause) -> PromptSession {
    PromptSession(
      host: host, id: id, log: log, cause: cause, settings: settings, keptGrants: keptGrants,
      keys: keys)
  }

  /// Returns the same for lines of somebody who sees a screen.
  package func seeing(_ seen: SeenScreen) -> PromptSession {
    var session = self
    session.seen = seen
    return session
  }

  /// Dispatches an action.
  ///
  /// - Throws: ``PromptError/dispatch(_:)`` or ``PromptError/payload(_:)``
  func dispatch(_ action: Action) async throws(PromptError) -> OutcomeAnswer {
    do throws(PromptError) {
      let outcome = try await dispatching { (host, id, cause) throws(DispatchError) in
        try host.dispatch(action, to: id, cause: cause)
      }
      return OutcomeAnswer(
        kind: "dispatch", type: action.type.string, outcome: outcome, screenDisplay: .whenNew)
    } catch {
      if case .dispatch(let error) = error, case .invalidPayload = error { throw .payload(error) }
      throw error
    }
  }

  /// Evaluates Lua.
  ///
  /// - Throws: ``PromptError/evaluation(_:)``
  func evaluate(_ text: String) async throws(PromptError) -> any PromptAnswer {
    do throws(Fault) {
      call.begin()
      defer { call.end() }
      let found = try await host.evaluation(of: text, in: id, within: callTimeMax)
      return EvaluationAnswer(
        values: found.values, step: StateStep(from: found.before, to: found.after))
    } catch {
      throw .evaluation(error)
    }
  }

  /// Returns the module with a name; nil for nil.
  ///
  /// - Throws: ``PromptError/noModule(_:nearest:)``
  func module(named name: String?) async throws(PromptError) -> ModuleName? {
    guard let name else { return nil }
    let names = await host.moduleInfos().map(\.name)
    if let module = names.first(where: { $0.text == name }) { return module }
    throw .noModule(name, nearest: Spelling.nearest(to: name, in: names.map(\.text)))
  }

  /// Runs an operation that dispatches.
  func dispatching<R: Sendable>(
    _ body: @Sendable (isolated Host, SessionID, Cause) throws(DispatchError) -> R
  ) async throws(PromptError) -> R {
    do throws(DispatchError) {
      return try await host.perform { [id, cause] (host) throws(DispatchError) in
        try body(host, id, cause)
      }
    } catch {
      throw .dispatch(error)
    }
  }

  /// Carries out a request about a slice that is put aside.
  ///
  /// - Throws: ``PromptError/slice(_:)``
  func carryOut(_ request: SliceRequest) async throws(PromptError) {
    do throws(SliceError) {
      try await host.perform { [id] (host) throws(SliceError) in
        try host.carryOut(request, in: id)
      }
    } catch {
      throw .slice(error)
    }
  }

  // MARK: Screens

  /// Runs an operation on the screen on top.
  func usingScreen<R: Sendable>(
    _ body: @Sendable (isolated Host, SessionID, SeenScreen) throws(ScreenError) -> R
  ) async throws(PromptError) -> R {
    do throws(ScreenError) {
      return try await host.perform { [id, seen] (host) throws(ScreenError) in
        try body(host, id, seen)
      }
    } catch {
      throw .screen(error)
    }
  }

  /// Returns the screen on top; nil if no screen is shown.
  func topScreen() async -> ScreenSnapshot? {
    await host.perform { [id] host in
      guard let shown = host.shownScreen(in: id), let tree = host.navigationTree(of: id) else {
        return nil
      }
      return ScreenSnapshot(shown: shown, tree: tree)
    }
  }

  /// Returns the screen with an id.
  ///
  /// - Throws: ``PromptError/noScreen(_:known:)``
  func screen(_ screen: String) async throws(PromptError) -> ScreenSnapshot {
    try await host.perform { [id] (host) throws(PromptError) in
      let tree = host.navigationTree(of: id) ?? NavigationTree()
      guard let shown = host.shownScreen(Text(screen), in: id) else {
        throw .noScreen(screen, known: tree.screens.map(\.id.string))
      }
      return ScreenSnapshot(shown: shown, tree: tree)
    }
  }

}

extension PromptAnswer {
  /// Whether the screen on top is shown below it.
  var wantsScreen: Bool {
    switch screenDisplay {
    case .never: false
    case .whenNew: step?.hasNewTop ?? false
    case .always: true
    }
  }
}
