package import Moonwire

extension BuiltIn {
  /// The actions of all built-in modules, whether or not they are in service.
  ///
  /// The keys are the names of the modules, and `app` and `crash` for the actions that they
  /// announce.
  package static let actions: [String: [ActionInfo]] = {
    let modules = BuiltIn.all.map { ($0.name.text, $0.declaredActions) }
    let (app, crash) = (announced.filter(\.isOfApp), announced.filter { !$0.isOfApp })
    let announcing = [
      "app": app, "lifecycle": app, "crash": crash, "crash_detector": crash,
    ]
    return Dictionary(uniqueKeysWithValues: modules).merging(announcing) { $0 + $1 }
  }()

  private var declaredActions: [ActionInfo] {
    module().actions.map {
      ActionInfo(type: "\(name)/\($0.name)", description: $0.description, schema: $0.schema)
    }.sorted { $0.type < $1.type }
  }

  /// The actions that `lifecycle` and `crash_detector` announce.
  private static let announced: [ActionInfo] = [
    announced("app/memory_warning", "The system is short of memory"),
    announced("app/resumed", "The program continues"),
    announced("app/started", "The session is open, and all modules have started"),
    announced("app/suspended", "The program is about to be suspended"),
    announced("app/will_terminate", "The program is about to end"),
    announced("crash/did", "The last run has crashed", ["signal": "string?"]),
    announced("crash/will", "The program is crashing", ["signal": "string?"]),
  ]

  private static func announced(
    _ type: String, _ description: String, _ fields: KeyValuePairs<String, String> = [:]
  ) -> ActionInfo {
    let schema = PayloadSchema(
      fields: fields.compactMap { PayloadSchema.Field(name: $0.key, type: $0.value) })
    return ActionInfo(type: type, description: description, schema: schema)
  }
}

extension ActionInfo {
  fileprivate var isOfApp: Bool { type.hasPrefix("app/") }
}
