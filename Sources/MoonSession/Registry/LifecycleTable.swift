import MoonModules
import MoonNavigation
import MoonValues

/// The listeners to stages in the life of screens, found before a screen reaches one.
struct LifecycleTable {
  /// The listeners to one stage, those of high priority first.
  ///
  /// An object, since finding listeners would copy it.
  private final class Stage {
    /// The listeners to all screens.
    let all: [Bound<LifecycleListener>]
    /// The others, by the module whose screens they are for.
    private let byModule: [Text: [Bound<LifecycleListener>]]
    /// The only module with listeners, if they are for all of its screens.
    ///
    /// Usually there is no other, and finding it takes a tenth of the instructions of a dictionary.
    ///
    /// Empty if there are others.
    let onlyModule: Text
    /// The listeners of that module.
    let listenersOfOnly: [Bound<LifecycleListener>]
    /// Whether only one module has listeners.
    let isOnly: Bool

    init(all: [Bound<LifecycleListener>], byModule: [Text: [Bound<LifecycleListener>]]) {
      self.all = all
      self.byModule = byModule
      let first = byModule.first
      isOnly =
        all.isEmpty && byModule.count == 1
        && first?.value.allSatisfy { $0.part.screens == nil } ?? false
      onlyModule = isOnly ? first?.key ?? "" : ""
      listenersOfOnly = isOnly ? first?.value ?? [] : []
    }

    var isEmpty: Bool { all.isEmpty && byModule.isEmpty }

    func listeners(of module: Text) -> [Bound<LifecycleListener>]? { byModule[module] }
  }

  /// The stages by their index.
  private let stages: [Stage]
  /// A bit for each stage that has listeners, by its index.
  private let heard: Int
  /// The stages that changes of the navigation lead to and that have listeners.
  let heardOnChanges: LifecycleStages

  init(_ modules: [Module]) {
    let all = Self.ranked(Bound.all(modules, \.lifecycle))
    stages = ScreenStage.allCases.map { stage in
      let grouped = Dictionary(grouping: all.filter { $0.part.stage == stage }) { one in
        one.part.screens.map { $0.module } ?? one.ownerText
      }
      var byModule: [Text: [Bound<LifecycleListener>]] = [:]
      for case (let module?, let listeners) in grouped { byModule[module] = listeners }
      return Stage(all: grouped[Text?.none] ?? [], byModule: byModule)
    }
    let heard = stages.enumerated().reduce(0) { $1.element.isEmpty ? $0 : $0 | 1 << $1.offset }
    self.heard = heard
    heardOnChanges = LifecycleStages(
      LifecycleStage.allCases.filter { heard >> ScreenStage($0).index & 1 == 1 }.map(\.asSet))
  }

  /// Returns whether any screen has listeners to a stage.
  func hasListeners(to stage: ScreenStage) -> Bool { heard >> stage.index & 1 == 1 }

  /// Returns the listeners to a stage in the life of a screen, in order.
  func listeners(to stage: ScreenStage, of screen: Screen) -> [Bound<LifecycleListener>] {
    guard hasListeners(to: stage) else { return [] }
    let listeners = stages[stage.index]
    if listeners.isOnly {
      return screen.owner?.module == listeners.onlyModule ? listeners.listenersOfOnly : []
    }
    return Self.find(in: listeners, of: screen)
  }

  private static func find(
    in listeners: Stage, of screen: Screen
  ) -> [Bound<LifecycleListener>] {
    guard let owner = screen.owner?.module, let own = listeners.listeners(of: owner) else {
      return listeners.all
    }
    func concerns(_ listener: Bound<LifecycleListener>) -> Bool {
      listener.part.screens?.matches(screen) ?? true
    }
    // Usually all of them, so that no new list is made.
    let matching = own.allSatisfy(concerns) ? own : own.filter(concerns)
    return listeners.all.isEmpty ? matching : ranked(matching + listeners.all)
  }

  private static func ranked(_ all: [Bound<LifecycleListener>]) -> [Bound<LifecycleListener>] {
    all.sorted { ($1.part.priority, $0.order) < ($0.part.priority, $1.order) }
  }
}
