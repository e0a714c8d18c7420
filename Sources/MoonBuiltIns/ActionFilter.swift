public import Moonwire

extension BuiltIn {
  /// `action_blocker`: while it is enabled, only actions on its list pass, and the others are
  /// dropped.
  ///
  /// Its actions are `enable`, `disable`, and `add` and `remove` with a pattern or a list of
  /// patterns in `actions`. A pattern is on the list as often as it was added, and each `remove`
  /// takes it off once, so two modules can share the list unaware of each other. Its own actions,
  /// `host/…`, `nav/did_…`, and what ``lifecycle`` and ``crashDetector`` announce always pass,
  /// because all but the first report what has happened. The navigation actions that a `nav/…`
  /// action leads to, such as the `nav/show` of a `nav/route`, pass as parts of it.
  public static let actionBlocker = BuiltIn(
    "action_blocker", "Drops all actions but those on its list while it is enabled"
  ) { module, _ in
    ActionFilter(name: module.name, passes: .listed).register(in: &module)
  }

  /// `action_blocklist`: while it is enabled, actions on its list are dropped, and the others pass.
  ///
  /// Its actions are those of ``actionBlocker``, and the same actions always pass. Those that a
  /// navigation action leads to are dropped if they are on the list themselves.
  public static let actionBlocklist = BuiltIn(
    "action_blocklist", "Drops the actions on its list while it is enabled"
  ) { module, _ in
    ActionFilter(name: module.name, passes: .unlisted).register(in: &module)
  }
}

/// A list of action patterns in a module's slice `{enabled, actions}`, which decides what passes.
struct ActionFilter: Sendable {
  /// The actions that pass.
  enum Passing {
    case listed, unlisted
  }

  /// The maximum number of patterns on the list, since each is compared with every action.
  static let patternCountMax = 1_000

  let name: ModuleName
  let passes: Passing

  func register(in module: inout Module) {
    module.controlsSession = true
    module.state = ["enabled": false, "actions": .list(List())]
    let fields = PayloadSchema(
      fields: [PayloadSchema.Field(name: "actions", type: "string|string[]")].compactMap(\.self))
    module.actions = [
      ActionDeclaration("enable", description: "Begins to drop actions"),
      ActionDeclaration("disable", description: "Lets all actions pass"),
      ActionDeclaration("add", description: "Puts patterns on the list", schema: fields),
      ActionDeclaration(
        "remove", description: "Takes patterns off the list, each once", schema: fields),
    ]
    module.reducers = [
      reducer("enable") { slice, _ in slice["enabled"] = true },
      reducer("disable") { slice, _ in slice["enabled"] = false },
      reducer("add") { slice, patterns in try add(patterns, to: &slice) },
      reducer("remove") { slice, patterns in remove(patterns, from: &slice) },
    ]
    module.middleware = [
      Middleware(priority: .high) { action, _, context in
        // That it may pass was decided for the action that it is part of.
        if passes == .listed, context.isWithinNavigation, action.type.hasPrefix("nav/") {
          return .pass
        }
        return isDropped(action.type, context.slice) ? .drop : .pass
      }
    ]
  }

  private func reducer(
    _ action: String, _ change: @escaping (_ slice: inout Map, _ patterns: [Text]) throws -> Void
  ) -> Reducer {
    Reducer(.exact(Text("\(name)/\(action)"))) { state, action in
      var slice = state.mapValue ?? Map()
      try change(&slice, action.payload["actions"]?.texts ?? [])
      state = .map(slice)
    }
  }

  private func add(_ patterns: [Text], to slice: inout Map) throws(ActionFilterError) {
    for pattern in patterns where Self.pattern(pattern) == nil { throw .noPattern(pattern) }
    let all = (slice["actions"]?.texts ?? []) + patterns
    guard all.count <= Self.patternCountMax else { throw .tooManyPatterns }
    slice["actions"] = .list(List(all.map { .string($0) }))
  }

  private func remove(_ patterns: [Text], from slice: inout Map) {
    var all = slice["actions"]?.texts ?? []
    for pattern in patterns { all.firstIndex(of: pattern).map { _ = all.remove(at: $0) } }
    slice["actions"] = .list(List(all.map { .string($0) }))
  }

  private static let alwaysPass: [ActionPattern] = [
    .family(prefix: "host/"), .family(prefix: "nav/did_"),
  ]

  private func isDropped(_ type: Text, _ slice: Value) -> Bool {
    guard slice["enabled"] == true, !ProgramEvent.types.contains(type),
      !CrashMarker.types.contains(type),
      !(Self.alwaysPass + [.family(prefix: Text("\(name)/"))]).contains(where: { $0.matches(type) })
    else { return false }
    let isListed = (slice["actions"]?.texts ?? []).contains {
      Self.pattern($0)?.matches(type) ?? false
    }
    return isListed == (passes == .unlisted)
  }

  /// Reads a pattern, which must be absolute: `cart/add`, `cart/*` or `*`.
  private static func pattern(_ text: Text) -> ActionPattern? {
    ActionPattern(text.string, owner: "")
  }
}

/// The reason that a list of patterns can't be changed.
public enum ActionFilterError: Error, Equatable, CustomStringConvertible {
  /// The text isn't a pattern.
  case noPattern(Text)
  /// The list would have more patterns than the limit.
  case tooManyPatterns

  /// One sentence.
  public var description: String {
    switch self {
    case .noPattern(let text):
      "'\(text)' isn't a pattern of actions; write cart/add, cart/* or *"
    case .tooManyPatterns:
      "the list can hold \(ActionFilter.patternCountMax) patterns at most"
    }
  }
}

extension Value {
  /// The texts in a value that is a text or a list of texts.
  fileprivate var texts: [Text] {
    switch self {
    case .string(let text): [text]
    case .list(let list): list.compactMap { if case .string(let text) = $0 { text } else { nil } }
    default: []
    }
  }
}
