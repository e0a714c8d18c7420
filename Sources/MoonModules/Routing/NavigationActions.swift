public import MoonActions
public import MoonNavigation
public import MoonValues

/// The host's own actions, which change the navigation.
package enum NavigationActions {
  /// Routes a URL: `{url, params, option}`.
  package static var route: Text { "nav/route" }

  /// The declarations of all of them.
  package static let declarations: [Text: ActionDeclaration] = {
    var all: [Text: ActionDeclaration] = [:]
    for (type, description, fields) in list {
      let name = String(type.dropFirst("nav/".count))
      all[Text(type)] = ActionDeclaration(
        name, description: description,
        schema: PayloadSchema(
          fields: (fields + common).compactMap { PayloadSchema.Field(name: $0.0, type: $0.1) }))
    }
    return all
  }()

  /// Returns whether a type is one of them.
  package static func include(_ type: Text) -> Bool {
    declarations[type] != nil
  }

  /// The names after `nav/`, including those of completions.
  package static let names = (list.map(\.0) + NavigationCompletion.types.map(\.string)).map {
    String($0.dropFirst("nav/".count))
  }

  /// The completions, which the host announces, with what their payloads hold.
  package static let completions: [(type: String, declaration: ActionDeclaration)] = told.map {
    type, description, fields in
    let own = fields + [("animated", "boolean"), ("origin", "string")]
    return (
      type,
      ActionDeclaration(
        String(type.dropFirst("nav/".count)), description: description,
        schema: PayloadSchema(
          fields: own.compactMap { PayloadSchema.Field(name: $0.0, type: $0.1) }))
    )
  }

  private static let selection = [
    ("tabs", "string"), ("selected", "integer"), ("previous_selected", "integer"),
  ]

  private static let told: [(String, String, [(String, String)])] = [
    ("nav/did_start", "A window was added", [("window", "map"), ("at", "integer")]),
    (
      "nav/did_restore", "A window of an earlier run is there again",
      [("window", "map"), ("at", "integer")]
    ),
    ("nav/did_close", "A window went", [("window", "map"), ("at", "integer")]),
    (
      "nav/did_focus", "Another window is the key window",
      [("window", "string"), ("previous", "string")]
    ),
    (
      "nav/did_set", "A window shows something else",
      [("window", "string"), ("root", "map?"), ("previous", "map?")]
    ),
    ("nav/did_present", "Something is presented", [("node", "map"), ("on", "string")]),
    ("nav/did_dismiss", "Something was dismissed", [("node", "map"), ("from", "string")]),
    ("nav/did_push", "A screen was pushed", [("screen", "map"), ("stack", "string")]),
    ("nav/did_pop", "A screen was popped", [("screen", "map"), ("stack", "string")]),
    (
      "nav/did_set_navigation", "A stack has other screens",
      [("screens", "list"), ("previous", "list"), ("stack", "string")]
    ),
    ("nav/did_insert_tab", "A tab came", [("tab", "map"), ("at", "integer")] + selection),
    ("nav/did_remove_tab", "A tab went", [("tab", "map"), ("at", "integer")] + selection),
    (
      "nav/did_set_tabs", "There are other tabs",
      [("items", "list"), ("previous", "list")] + selection
    ),
    ("nav/did_select_tab", "Another tab is selected", [("tab", "string")] + selection),
    (
      "nav/did_set_column", "A column of a split view shows something else",
      [("column", "string"), ("node", "map"), ("previous", "map"), ("split", "string")]
    ),
    (
      "nav/did_select_column", "The other column of a split view is selected",
      [("column", "string"), ("split", "string")]
    ),
    ("nav/did_collapse", "A split view shows one column only", [("split", "string")]),
    ("nav/did_expand", "A split view shows both columns", [("split", "string")]),
    (
      "nav/did_update", "A screen was replaced in place",
      [("screen", "map"), ("previous", "map")]
    ),
  ]

  private static let common = [
    ("animated", "boolean?"), ("window", "string?"), ("origin", "string?"),
  ]

  private static let list: [(String, String, [(String, String)])] = [
    (
      "nav/route", "Routes a URL",
      [("url", "string"), ("params", "map?"), ("option", "any?")]
    ),
    ("nav/start", "Adds a hidden window", [("id", "string")]),
    ("nav/close", "Takes a window away", [("id", "string")]),
    ("nav/focus", "Makes a window the key window", [("id", "string")]),
    ("nav/set", "Replaces all that a window shows", [("root", "any?")]),
    ("nav/present", "Shows a screen over the window", [("node", "any"), ("on", "string?")]),
    ("nav/dismiss", "Takes away what was presented last", [("count", "integer?")]),
    ("nav/dismiss_to", "Takes away all that covers a screen", [("id", "string")]),
    ("nav/dismiss_to_root", "Takes away all that is presented", []),
    ("nav/set_navigation", "Replaces the screens of the stack on top", [("screens", "any")]),
    ("nav/push", "Puts a screen on the stack on top", [("screen", "any")]),
    ("nav/pop", "Takes screens off the stack on top", [("count", "integer?")]),
    ("nav/pop_to", "Takes off what is on a screen of the stack", [("id", "string")]),
    ("nav/pop_to_root", "Takes all but the first screen off the stack", []),
    ("nav/set_tabs", "Replaces what the tabs hold", [("tabs", "any")]),
    ("nav/insert_tab", "Adds a tab", [("tab", "any"), ("at", "any?")]),
    ("nav/remove_tab", "Removes a tab", [("id", "string")]),
    ("nav/select_tab", "Selects a tab", [("id", "string?"), ("index", "integer?")]),
    (
      "nav/set_column", "Replaces a column of the split view on top",
      [("column", "string"), ("node", "any")]
    ),
    ("nav/select_column", "Selects a column of the split view on top", [("column", "string")]),
    ("nav/show_detail", "Shows a screen in the detail column", [("screen", "any")]),
    ("nav/collapse", "Lets a split view show one column only", [("id", "string?")]),
    ("nav/expand", "Lets a split view show both columns", [("id", "string?")]),
    ("nav/back", "Goes one step back", []),
    (
      "nav/back_to", "Goes back to a screen below the top",
      [("id", "string?"), ("url", "string?"), ("screen", "any?")]
    ),
    ("nav/replace", "Replaces the top of the stack", [("screen", "any")]),
    ("nav/root", "Makes a screen the only one of the stack", [("screen", "any")]),
    ("nav/show", "Pushes a screen, or presents it", [("screen", "any")]),
    ("nav/update", "Puts a screen in the place of the one with its id", [("screen", "any")]),
  ]
}

/// The reason that the actions returned by a presenter or mapper can't be carried out.
package enum NavigationAnswerError: Error, CustomStringConvertible {
  /// One of them isn't an action of the navigation.
  case other(Text, who: String)
  /// A presenter returned an action that routes a URL.
  case routes(who: String)
  /// There are more than ``countMax`` of them.
  case tooMuch(Int, who: String)

  /// The maximum number of actions in one answer.
  ///
  /// They run in one step, which blocks everything else.
  package static let countMax = 256

  package var description: String {
    switch self {
    case .other(let type, let who):
      "\(who) returns actions of the navigation, such as nav/push, not \(type)"
    case .routes(let who):
      "\(who) can't route: the screen is made already; return something such as "
        + "moon.nav.push(screen)"
    case .tooMuch(let count, let who):
      "\(who) returns \(NavigationAnswerError.countMax) actions at most, not \(count)"
    }
  }

  /// Checks the actions that a presenter or mapper returned.
  package static func check(_ actions: [Action], of who: String, mayRoute: Bool)
    throws(NavigationAnswerError)
  {
    guard actions.count <= countMax else { throw .tooMuch(actions.count, who: who) }
    for action in actions {
      guard NavigationActions.include(action.type) else { throw .other(action.type, who: who) }
      guard mayRoute || action.type != NavigationActions.route else { throw .routes(who: who) }
    }
  }
}

extension Action {
  /// Makes an action that routes a URL, as ``HostSession/route(_:passing:option:)`` does.
  public static func route(
    _ url: Text, passing parameters: Map = Map(), option: RoutingOption? = nil
  ) -> Action {
    var payload: Map = ["url": .string(url)]
    if !parameters.isEmpty { payload["params"] = .map(parameters) }
    if let option { payload["option"] = option.value }
    return Action(NavigationActions.route, .map(payload))
  }

  /// Makes the action for a change of the navigation.
  public init(_ navigation: NavigationAction) {
    self.init(navigation.type, typed: TypedNavigation(navigation))
  }

  /// The change of the navigation that the action was made for; nil if its payload is a value.
  package var navigation: NavigationAction? {
    get { (typedPayload as? TypedNavigation)?.action }
    set { typedPayload = newValue.map(TypedNavigation.init) }
  }
}

/// A change of the navigation as the payload of an action.
private final class TypedNavigation: TypedPayload {
  let action: NavigationAction

  init(_ action: NavigationAction) { self.action = action }

  var value: Value { action.payload }
  var storageCost: Int { action.storageCost }
}
