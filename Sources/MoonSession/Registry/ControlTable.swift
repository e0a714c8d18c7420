import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues

/// The actions that control the session, which people and programs may dispatch, and a module in
/// Lua only if it is granted to.
struct ControlTable {
  /// The controls of the timeline, by the types of their actions.
  private var timeline: [Text: Bound<TimelineControl>] = [:]
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

  /// Returns the control of the timeline that an action is for; nil if it is for none.
  func ofTimeline(_ action: borrowing Action) -> Bound<TimelineControl>? {
    timeline.isEmpty ? nil : timeline[action.type]
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
  /// `causers` are the modules that the present work is owed to. If the module of a control
  /// dispatches its own action, as for its URL, those need the grant.
  ///
  /// - Throws: ``DispatchError/notGranted(type:_:)``.
  func checkControl(
    of action: Action, by module: ModuleName,
    for causers: @autoclosure () -> Set<ModuleName> = []
  ) throws(DispatchError) {
    guard let (scope, owner) = controls.scope(of: action) else { return }
    let actors = owner == Text(module.text) ? causers() : [module]
    for actor in actors.sorted() { try check(scope, of: action, by: actor, controlling: owner) }
  }

  private func check(
    _ scope: Scope, of action: Action, by actor: ModuleName, controlling owner: Text
  ) throws(DispatchError) {
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
