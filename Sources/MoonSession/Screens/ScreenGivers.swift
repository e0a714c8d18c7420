import MoonNavigation
import MoonServiceKit
import MoonValues

/// The modules that gave screens of others their parameters, or changed what they hold.
///
/// A view that fails for what it was given doesn't count to its module.
struct ScreenGivers {
  private var modules: [Text: Set<ModuleName>] = [:]
  /// The number of screens from which those that aren't in the navigation are forgotten.
  private var countMax = Self.countMin
  /// More than one action brings.
  private static let countMin = 2 * NavigationTree.nodeCountMax

  var isEmpty: Bool { modules.isEmpty }

  /// The modules that had a hand in a screen, besides its own.
  subscript(id: Text) -> Set<ModuleName> { modules[id] ?? [] }

  /// Notes the modules that had a hand in the parameters of a new screen; `tree` is the navigation.
  mutating func begin(
    _ id: Text, with givers: Set<ModuleName>, in tree: @autoclosure () -> NavigationTree
  ) {
    modules[id] = givers
    guard modules.count > countMax else { return }
    let tree = tree()
    modules = modules.filter { $0.key == id || tree.contains($0.key) }
    countMax = 2 * modules.count + Self.countMin
  }

  /// Notes that a module has changed what a screen holds.
  mutating func add(_ module: ModuleName, to id: Text) { modules[id, default: []].insert(module) }

  /// Forgets a screen that is gone.
  mutating func forget(_ id: Text) {
    if !modules.isEmpty { modules[id] = nil }
  }
}
