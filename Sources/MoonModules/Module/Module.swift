package import MoonActions
public import MoonServiceKit
public import MoonValues

/// One feature of an app: its name, its slice of the state and its registrations.
///
/// The host makes one for each module in Lua that it loads. A program makes one for each module in
/// Swift and gives it to the host. The host treats both alike. A module keeps no state of its own,
/// since several sessions share it.
public struct Module {
  /// The version of a module that declares none.
  package static let firstVersion: Int64 = 1

  /// The module's name, which is also the name of its slice.
  public let name: ModuleName
  /// The purpose of the module, in one sentence.
  public var description: String?
  /// The permissions that the module requests.
  public var needs: [Scope] {
    get { requested.needs }
    set { requested.needs = newValue }
  }
  /// The same, with where their paths led when the module was loaded.
  package var requested = RequestedScopes()
  /// The module's settings; nil if it has none.
  package var settings: ModuleSettings?
  /// The version of the slice's shape; see ``Hooks/migrate``.
  package var version: Int64
  /// The slice in a new session; nil if the module has none.
  package var state: Value? {
    get { initial.value }
    set { initial = InitialState(newValue, initial.shape) }
  }
  /// The types of the fields of the slice; nil allows any.
  ///
  /// A reducer or ``Hooks/migrate`` that makes a slice of another shape fails, and a restored slice
  /// of another shape is put aside.
  package var shape: PayloadSchema? {
    get { initial.shape }
    set { initial.shape = newValue }
  }
  private var initial: InitialState
  /// The places whose values recordings leave out: paths from the state that begin with the
  /// module's name, and so name fields of its actions' payloads as well.
  package var redacted: [Path] = []
  /// Whether the module's actions control the session as only people and the program may.
  ///
  /// A module in Lua needs the grant `control:NAME` with the module's name to dispatch them.
  package var controlsSession = false
  /// The module's own actions, with the schemas of their payloads.
  package var actions: [ActionDeclaration] = []
  /// Functions that change the slice.
  package var reducers: [Reducer] = []
  /// Functions that change the whole state, after all slices are reduced.
  package var wholeStateReducers: [Reducer] = []
  /// Functions that see actions before they are reduced.
  package var middleware: [Middleware] = []
  /// Functions that see actions once they are committed, with the state before and after.
  package var afterReduce: [AfterReduce] = []
  /// Functions that are called when a part of the state has changed.
  package var observers: [Observer] = []
  /// The URLs that lead to its screens and handlers.
  package var routes: [Route] = []
  /// Functions that may change how screens are presented.
  package var optionProviders: [OptionProvider] = []
  /// Functions that see, veto or redirect routings, and are called after them.
  package var routingObservers: [RoutingObserver] = []
  /// Functions that enrich screens before they are shown.
  package var presenters: [Presenter] = []
  /// Functions that put screens into the navigation tree, each for one kind of routing option.
  package var routingPresenters: [RoutingPresenter] = []
  /// What happens to URLs that come to windows while something else is shown there.
  ///
  /// If several modules set a window, the first in the order of their names counts.
  package var windowSettings: [WindowSetting] {
    get { surface.windows }
    set { surface.windows = newValue }
  }
  /// The keys that do something in the app or on screens.
  package var keys: [KeyBinding] {
    get { surface.keys }
    set { surface.keys = newValue }
  }
  private var surface = Surface()
  /// Functions that draw screens, each for one kind of screen.
  package var views: [View] = []
  /// Functions that fill slots in screens of other modules.
  package var extensions: [ViewExtension] = []
  /// Functions that are called at stages in the life of the module's screens.
  package var lifecycle: [LifecycleListener] = []
  /// Functions that start and stop modules, or replace actions, when an action comes.
  package var moduleMappers: [ModuleMapper] = []
  /// Functions that navigate when an action is reduced.
  package var navigationMappers: [NavigationMapper] = []
  /// Code that actions start once they are committed, and that can wait.
  package var effects: [Effect] = []
  /// Actions that are dispatched at times.
  package var schedules: [Schedule] = []
  /// Functions that answer whoever calls them, and may wait.
  package var commands: [Command] = []
  /// Functions that run at times of the host's, such as when the module starts in a session.
  package var hooks = Hooks()

  /// Makes a module that registers nothing yet.
  public init(
    name: ModuleName, description: String? = nil, version: Int64 = 1,
    state: Value? = nil
  ) {
    self.name = name
    self.description = description
    self.version = version
    initial = InitialState(state)
  }
}

extension Module {
  /// The registrations that concern the whole app as people see it.
  struct Surface {
    var windows: [WindowSetting] = []
    var keys: [KeyBinding] = []
  }

  private struct InitialState {
    let value: Value?
    let keys: StateShape
    var shape: PayloadSchema?

    init(_ value: Value?, _ shape: PayloadSchema? = nil) {
      self.value = value
      keys = StateShape(of: value)
      self.shape = shape
    }
  }

  /// The keys of ``state``.
  package var stateKeys: StateShape { initial.keys }

  /// The check of the slice against ``shape``; nil if any is allowed.
  package var sliceShape: SliceShape? { shape.map { SliceShape($0, of: name.text) } }

  /// The types that the program of the module dispatches; see ``Reducer``.
  package var announces: Set<Text> {
    Set(reducers.compactMap { $0.isAnnounced ? $0.type : nil })
  }

  /// All registrations, in a fixed order.
  package var registrations: [Registration] {
    let parts: [[any Registrable]] = [
      reducers, wholeStateReducers, middleware, afterReduce, observers, routes, optionProviders,
      routingObservers, presenters, routingPresenters, windowSettings, keys, views, extensions,
      lifecycle, moduleMappers, navigationMappers, effects, schedules, commands, hooks.registered,
    ]
    return actions.map { Registration(.action, "\(name)/\($0.name)", place: $0.place) }
      + parts.flatMap { $0.map(\.registration) }
  }

  /// The registrations that listen to actions.
  package var listeners: [(registration: Registration, pattern: ActionPattern)] {
    (reducers + wholeStateReducers).map { ($0.registration, $0.pattern) }
      + middleware.map { ($0.registration, $0.pattern) }
      + afterReduce.map { ($0.registration, $0.pattern) }
      + moduleMappers.map { ($0.registration, $0.pattern) }
      + navigationMappers.map { ($0.registration, $0.pattern) }
      + effects.filter { !$0.isKept }.map { ($0.registration, $0.pattern) }
  }

  /// The module as plain data: `{module, description, version, actions}`.
  package var summary: Map {
    var map: Map = [
      "module": .string(Text(name.text)), "version": .int(version),
      "actions": .list(List(actions.map { $0.summary(in: name) })),
    ]
    map["description"] = description.map { .string(Text($0)) }
    return map
  }
}

extension ActionDeclaration {
  /// Returns the declaration as data: `{type, description, fields = {by = "integer?"}}`.
  fileprivate func summary(in module: ModuleName) -> Value {
    var map: Map = ["type": .string(Text("\(module)/\(name)"))]
    map["description"] = description.map { .string(Text($0)) }
    map["fields"] = schema.map { schema in
      .map(
        Map(
          schema.fields.map { field in
            (
              .string(Text(field.name)),
              .string(Text("\(field.type)\(field.isOptional ? "?" : "")"))
            )
          }))
    }
    return .map(map)
  }
}
