import MoonActions
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonTasks
import MoonValues

/// Whom a fault counts to.
///
/// Code fails for itself or for what others gave it: actions, parameters, screens, arguments. If
/// one other module gave it, the fault counts to that one, so that nobody can have a module
/// suspended by what it is given. If several had a hand in it, it counts to none.
extension ModuleCaller {
  /// Returns the modules that gave code an action, or for nil what is being carried out, and the
  /// screen that it is called for.
  func givers(of action: Action? = nil, showing screen: Screen? = nil) -> Set<ModuleName> {
    var givers = session.current.hands(in: action)
    if let action {
      if let causer = causer(of: action) { givers.insert(causer) }
    } else {
      if let owner = session.current.owner { givers.insert(owner) }
      // The code that has called the host, which calls this.
      if let outer = session.environment.activity.call?.registration?.owner {
        givers.insert(outer)
      }
    }
    if let screen { givers.formUnion(session.screens.givers[screen.id]) }
    return givers
  }

  /// Notes the modules that gave a new screen of a route its parameters.
  func noteGivers(of screen: Screen, from route: BoundRegistration) {
    let others = givers().subtracting([route.owner])
    if others.isEmpty { return }
    session.screens.givers.begin(screen.id, with: others, in: session.navigationTree)
  }

  /// Returns the modules that gave a task its action or, if it is a command's, its arguments: those
  /// of all tasks that have led to the call.
  func givers(to task: EffectTask) -> Set<ModuleName> {
    guard task.effect.registration.kind == .command else {
      var givers = task.origin.givers
      if let causer = causer(of: task.action) { givers.insert(causer) }
      return givers
    }
    var givers: Set<ModuleName> = []
    var parent = task.origin.parent
    while let id = parent, let caller = session.begunTasks?[id] {
      givers.insert(caller.effect.owner)
      parent = caller.origin.parent
    }
    return givers
  }

  /// Notes who gave an action that a task has waited for, so that neither is blamed for the other.
  func noteHeard(_ action: Action, by task: EffectTask) {
    let (givers, owner) = (givers(of: action), task.effect.owner)
    guard givers.contains(where: { $0 != owner }) else { return }
    task.origin.givers.formUnion(givers.union([owner]))
  }

  /// Returns the module that a fault of a module's code counts to; nil for none.
  ///
  /// A module that listens to others' actions can't have them suspended by failing, nor they it by
  /// what they dispatch; but what ends its code counts to it, since only it can have that mended.
  func blamed(
    for fault: Fault, of owner: ModuleName, _ givers: Set<ModuleName>, isKill: Bool
  ) -> ModuleName? {
    guard givers.contains(where: { $0 != owner }) else { return owner }
    if isAddressed(fault) { return sole(givers) }
    guard isKill, let action = fault.action else { return nil }
    // How long code takes is its own choice, but not how much it is given.
    if case .outOfQuota = fault.reason,
      !action.payload.isWithin(depthMax: .max, costMax: Self.largePayloadCost)
    {
      return sole(givers)
    }
    return owner
  }

  /// Returns the one module that gave something; nil if several did, or it has left.
  private func sole(_ givers: Set<ModuleName>) -> ModuleName? {
    givers.count == 1 ? givers.first { session.modules[$0] != nil } : nil
  }

  /// The storage cost of a payload above which a listener's lack of memory counts to the giver.
  private static var largePayloadCost: Int { 1 << 20 }

  /// Returns whether what failed is what a module means that gives something: an action of the
  /// module, a URL of its routes, its command, its kind of option.
  private func isAddressed(_ fault: Fault) -> Bool {
    let name = fault.registration.name
    switch fault.registration.kind {
    case .command: return !name.contains("/") || name.hasPrefix("\(fault.module)/")
    case .route, .handler: return true
    case .routingPresenter: return !RoutingOption.ofHost.contains { $0.kind.string == name }
    default:
      return fault.action.map { $0.type.string.prefix(while: { $0 != "/" }) == fault.module }
        ?? false
    }
  }

  /// Returns the module that an action is owed to; nil for none.
  private func causer(of action: Action) -> ModuleName? {
    switch action.cause {
    case .module(let name, _): ModuleName(name)
    case .host: session.current.actionID == action.id ? session.current.owner : nil
    case .prompt, .commandLine, .native, .screen: nil
    }
  }
}
