import MoonActions
import MoonRouting
import MoonServiceKit
import MoonValues
import Testing

@testable import MoonModules

/// A module's registrations are found wherever registrations are listed, counted and compared.
struct ModuleRegistrationsTests {
  /// The properties without registrations.
  private static let plain: Set = [
    "name", "description", "version", "initial", "actions", "requested", "settings",
    "redacted", "controlsSession",
  ]

  /// Returns a module with a value in each of its properties.
  private static func full() throws -> Module {
    var module = Module(name: try #require(ModuleName("full")))
    module.reducers = [Reducer(.all) { _, _ in }]
    module.wholeStateReducers = [Reducer(.all) { _, _ in }]
    module.middleware = [Middleware { _, _, _ in .pass }]
    module.afterReduce = [AfterReduce { _, _, _, _ in [] }]
    module.observers = [Observer(Path()) { _, _, _ in }]
    module.routes = [
      Route(try RoutePattern(parsing: "/x"), handler: { _, _ in .declined })
    ]
    module.optionProviders = [OptionProvider { _, option, _ in option }]
    module.routingObservers = [RoutingObserver()]
    module.presenters = [
      Presenter { _, _, _ in }, Presenter(Connection(of: .all, from: StateSelection(Path()))),
    ]
    module.routingPresenters = [RoutingPresenter("drawer") { _, _, _ in [] }]
    module.windowSettings = [WindowSetting("main", inTab: .owner)]
    module.keys = [
      KeyBinding(try KeySequence(parsing: "ctrl+n"), .action(KeyAction(Action("full/add"))))
    ]
    module.hooks.containers = [ContainerHook("split") { _, _ in .proceed }]
    module.hooks.unmatched = UnmatchedHandler { _, _, _ in .declined }
    module.views = [View("list") { _, _ in .null }]
    module.extensions = [try #require(ViewExtension("shop/cart#end") { _, _, _ in .null })]
    module.lifecycle = [LifecycleListener(.didAppear) { _, _ in }]
    module.moduleMappers = [ModuleMapper { _, _ in [] }]
    module.navigationMappers = [NavigationMapper { _, _ in [] }]
    module.effects = [
      Effect(.all) { _, _ in },
      Effect(
        requesting: .all, success: { () in Action("full/done") },
        failure: { _ in Action("full/failed") }, request: { _, _ in }),
    ]
    module.schedules = [
      try #require(Schedule(Action("full/refresh"), every: .seconds(300)))
    ]
    module.commands = [Command("total") { payload, _ in payload }]
    module.hooks.onStart = Hook { _ in }
    module.hooks.onRestore = Hook { _ in }
    module.hooks.onStop = Hook { _ in }
    module.hooks.onSettings = SettingsHook { _, _ in }
    module.hooks.timelineControl = TimelineControl(["full/back"]) { _, _ in [] }
    module.hooks.onBack = BackHook { _, _, _ in .proceed }
    return module
  }

  /// Returns the contents of a property: registrations, one of them or none, or hooks.
  private static func registrations(in value: Any) -> [Registration] {
    if let hooks = value as? Hooks { return hooks.registered.map(\.registration) }
    if let parts = value as? [any Registrable] { return parts.map(\.registration) }
    return (value as? any Registrable).map { [$0.registration] } ?? []
  }

  @Test func `every property with registrations is among the registrations`() throws {
    let module = try Self.full()
    let all = Set(module.registrations)
    let children = Mirror(reflecting: module).children.flatMap { child in
      child.value is Module.Surface ? Array(Mirror(reflecting: child.value).children) : [child]
    }
    for child in children {
      let label = try #require(child.label)
      guard !Self.plain.contains(label) else { continue }
      let own = Self.registrations(in: child.value)
      #expect(!own.isEmpty, "\(label): fill it in above, or call it plain")
      for registration in own { #expect(all.contains(registration), "\(label)") }
    }
  }

  @Test func `every hook but the migration is among the registered hooks`() throws {
    let hooks = try Self.full().hooks
    let labels = Mirror(reflecting: hooks).children.compactMap(\.label)
    #expect(hooks.registered.count == labels.filter { $0 != "migrate" }.count)
  }

  @Test func `every kind of registration but those of the loader and of timers has a property`()
    throws
  {
    var module = try Self.full()
    module.actions = [ActionDeclaration("add")]
    module.routes.append(
      Route(try RoutePattern(parsing: "/y"), screen: { _, _ in nil }))
    let kinds = Set(module.registrations.map(\.kind))
    #expect(Set(RegistrationKind.allCases).subtracting(kinds) == [.load, .migrate, .timer])
  }
}
