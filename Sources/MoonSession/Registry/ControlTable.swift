import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues

/// The actions that control the session, which people and programs may dispatch, and a module in
/// Lua only if it is granted to.
struct ControlTable {
  /// The controls of the timeline, by the types of their actions.
  private(set) var timeline: [Text: Bound<TimelineControl>] = [:]
  /// The modules whose actions all control the session.
  private var owners: Set<Text> = []
  /// What programs announce with actions, such as that a run has crashed.
  private var announced: Set<Text> = []
  /// Returns the grants of modules.
  let grants: () -> Grants

  init(_ grants: @escaping () -> Grants) { self.grants = grants }

  /// Takes in the modules in service, and the timeline's controls of those that are active.
  mutating func update(_ modules: [Module], isActive: (Module) -> Bool) {
    self = ControlTable(grants)
    for module in modules {
      if module.controlsSession { owners.insert(Text(module.name.text)) }
      announced.formUnion(module.announces)
      guard isActive(module), let control = module.hooks.timelineControl else { continue }
      for type in control.types { timeline[type] = Bound(control, of: module) }
    }
  }

  /// Returns the scope that a module needs to dispatch an action, and the name of the module that
  /// the action controls; nil if it needs none.
  func scope(of action: Action) -> (scope: Scope, owner: Text)? {
    let isAPI =
      action.type.hasPrefix("api/") && RequestSwitch.declarations[action.type] != nil
    guard isAPI || !owners.isEmpty || !announced.isEmpty else { return nil }
    let owner = Text(String(action.type.string.prefix { $0 != "/" }))
    guard isAPI || owners.contains(owner) || announced.contains(action.type) else { return nil }
    return (.control(owner.string), owner)
  }
}

extension ModuleSet {
  /// Checks that a module may dispatch an action, as far as the action controls the session.
  ///
  /// `charged` is the module that the present work is charged to. If the module of a control
  /// dispatches its own action, as for its URL, that one needs the grant.
  ///
  /// - Throws: ``DispatchError/notGranted(type:_:)``.
  func checkControl(
    of action: Action, by module: ModuleName, chargedTo charged: ModuleName? = nil
  ) throws(DispatchError) {
    guard let (scope, owner) = controls.scope(of: action) else { return }
    let actor = owner == Text(module.text) ? charged ?? module : module
    guard owner != Text(actor.text), let entry = self[actor], !entry.isOfProgram,
      !action.concernsRequests(of: actor)
    else { return }
    do throws(GrantRefusal) {
      try Permissions(entry.module.requested, controls.grants()).check(scope, of: actor)
    } catch {
      throw .notGranted(type: action.type.string, error)
    }
  }
}

extension Action {
  /// Whether it switches the requests of a module, and no others.
  fileprivate func concernsRequests(of module: ModuleName) -> Bool {
    RequestSwitch.declarations[type] != nil && payload["holder"] ?? .null == .null
      && payload["module"]?.stringValue == module.text
  }
}
