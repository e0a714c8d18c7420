import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues

// What a module may register can stand in the body of a feature.

/// A registration that a module has a place for.
protocol ModulePart: Registrations {
  /// Adds it to a module, or sets it there.
  func add(to module: inout Module)
}

extension ActionDeclaration: Registrations, ModulePart {
  func add(to module: inout Module) { module.actions.append(self) }
}

extension Reducer: Registrations, ModulePart {
  func add(to module: inout Module) { module.reducers += ofEachAction }
}

extension Middleware: Registrations, ModulePart {
  func add(to module: inout Module) { module.middleware += ofEachAction }
}

extension AfterReduce: Registrations, ModulePart {
  func add(to module: inout Module) { module.afterReduce += ofEachAction }
}

extension Route: Registrations, ModulePart {
  func add(to module: inout Module) { module.routes.append(self) }
}

extension OptionProvider: Registrations, ModulePart {
  func add(to module: inout Module) { module.optionProviders.append(self) }
}

extension RoutingObserver: Registrations, ModulePart {
  func add(to module: inout Module) { module.routingObservers.append(self) }
}

extension Presenter: Registrations, ModulePart {
  func add(to module: inout Module) { module.presenters.append(self) }
}

extension RoutingPresenter: Registrations, ModulePart {
  func add(to module: inout Module) { module.routingPresenters.append(self) }
}

extension WindowSetting: Registrations, ModulePart {
  func add(to module: inout Module) { module.windowSettings.append(self) }
}

extension ViewExtension: Registrations, ModulePart {
  func add(to module: inout Module) { module.extensions.append(self) }
}

extension LifecycleListener: Registrations, ModulePart {
  func add(to module: inout Module) { module.lifecycle.append(self) }
}

extension ModuleMapper: Registrations, ModulePart {
  func add(to module: inout Module) { module.moduleMappers += ofEachAction }
}

extension NavigationMapper: Registrations, ModulePart {
  func add(to module: inout Module) { module.navigationMappers += ofEachAction }
}

extension Effect: Registrations, ModulePart {
  func add(to module: inout Module) { module.effects += ofEachAction }
}

extension Schedule: Registrations, ModulePart {
  func add(to module: inout Module) { module.schedules.append(self) }
}

extension Command: Registrations, ModulePart {
  func add(to module: inout Module) { module.commands.append(self) }
}

extension ContainerHook: Registrations, ModulePart {
  func add(to module: inout Module) { module.hooks.containers.append(self) }
}

extension BackHook: Registrations, ModulePart {
  func add(to module: inout Module) { module.hooks.onBack = self }
}

extension SettingsHook: Registrations, ModulePart {
  func add(to module: inout Module) { module.hooks.onSettings = self }
}

extension UnmatchedHandler: Registrations, ModulePart {
  func add(to module: inout Module) { module.hooks.unmatched = self }
}

extension Migration: Registrations, ModulePart {
  func add(to module: inout Module) { module.hooks.migrate = self }
}

extension TimelineControl: Registrations, ModulePart {
  func add(to module: inout Module) { module.hooks.timelineControl = self }
}

extension Derivation: Registrations, ModulePart {
  /// Adds nothing: the feature derives the actions when it has all else, since a reducer that it
  /// has takes the place of a derived one.
  func add(to module: inout Module) {}
}

extension Observer: Registrations, ModulePart {
  /// Adds it to a module; one of the feature's state observes the module's slice.
  func add(to module: inout Module) {
    var observer = self
    if typed?.isRelative == true {
      observer.selection = StateSelection(Path([.key(Text(module.name.text))]))
      observer.registration = Registration(
        .observer, observer.selection.description, place: registration.place)
    }
    module.observers.append(observer)
  }
}

extension View: Registrations, ModulePart {
  /// Adds it to a module; one without a kind draws the screens of the kind with the module's name.
  func add(to module: inout Module) {
    var view = self
    if typed?.isRelative == true {
      view.kind = Text(module.name.text)
      view.registration = Registration(.view, module.name.text, place: registration.place)
    }
    module.views.append(view)
  }
}
