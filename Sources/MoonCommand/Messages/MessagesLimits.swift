import Moonwire

extension Messages {
  static let limitHelp = """
    How much a module may use, such as counter:reducer=50ms, or without a name each module: \
    memory=16MB. What: load, reducer, middleware, observer, routing (screens, handlers, \
    presenters), view, mapper or hook (on_start, on_stop, migrate, lifecycle) in ms or s; memory, \
    and state for its slice, in KB, MB or GB; faults in its last \(HostOptions.faultCallCount) \
    calls, until it is suspended. The amount off is no limit. May be given several times.
    """

  /// Why a text is no limit.
  static func limit(_ error: LimitError) -> String {
    switch error {
    case .noAmount: "write [module:]what=amount, as in counter:reducer=50ms or memory=16MB"
    case .notAModuleName("*"): "for all modules leave the name out, as in memory=16MB"
    case .notAModuleName(let name): "'\(name)' can't be a module's name"
    case .unknown(let word, let nearest):
      "there is no limit '\(word)'"
        + (nearest.map { "; did you mean \($0)?" }
          ?? ": there are \(list(LimitSetting.What.allCases.map(\.rawValue)))")
    case .notAnAmount(let text, let what):
      "'\(text)' can't be an amount of \(what.rawValue): write one such as \(sample(what)), or"
        + " \(LimitSetting.none) for no limit"
    }
  }

  /// A limit is set for a module that isn't there.
  static func limitWithoutModule(_ name: ModuleName, nearest: String?) -> Report {
    Report(
      .warning, "there is no module \(name) yet: its limits wait for it"
    ).adding(suggestion(nearest))
  }

  private static func sample(_ what: LimitSetting.What) -> String {
    switch what {
    case .time(.load): "2s"
    case .time: "50ms"
    case .memory, .state: "16MB"
    case .faults: "20"
    }
  }
}
