/// A kind of registration of modules.
public enum RegistrationKind: String, Sendable, Hashable, CaseIterable {
  case action
  case reducer
  case middleware
  case afterReduce = "after-reduce middleware"
  case observer
  case route
  case handler
  case optionProvider = "option provider"
  case routingObserver = "routing observer"
  case presenter
  case connection
  case routingPresenter = "routing presenter"
  case windowSetting = "window setting"
  case container
  case key
  case view
  case viewExtension = "extension"
  case lifecycle = "lifecycle listener"
  case moduleMapper = "module mapper"
  case navigationMapper = "navigation mapper"
  case effect
  case timelineControl = "timeline control"
  case apiRequest = "api request"
  case schedule
  case timer
  case command
  case unmatched = "unmatched handler"
  case onStart = "on_start"
  case onRestore = "on_restore"
  case onStop = "on_stop"
  case onBack = "on_back"
  case onSettings = "on_settings"
  case migrate
  case load
}

extension RegistrationKind {
  /// Whether a module has at most one registration of the kind, so that the kind identifies it.
  package var isSingular: Bool {
    switch self {
    case .onStart, .onRestore, .onStop, .onBack, .onSettings, .migrate, .load, .unmatched,
      .timelineControl:
      true
    case .reducer, .middleware, .afterReduce, .observer, .action, .route, .handler, .optionProvider,
      .routingObserver, .presenter, .connection, .routingPresenter, .windowSetting, .container,
      .key, .view, .viewExtension, .lifecycle, .moduleMapper, .navigationMapper, .effect,
      .apiRequest,
      .schedule, .timer, .command:
      false
    }
  }
}
