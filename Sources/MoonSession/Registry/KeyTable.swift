package import MoonModules
package import MoonNavigation
package import MoonServiceKit

/// The keys of an app: those of its modules, and those that a person has set.
///
/// A person's keys come first, then the keys of the screen, the most exact first, then those of the
/// app. Among equals, those of the first module by name count.
package struct KeyTable {
  /// A binding, and the module that has it; nil for a person's own.
  package struct Entry: Sendable {
    package let owner: ModuleName?
    package let binding: KeyBinding
  }

  /// All of them, first those that come first.
  package let entries: [Entry]

  /// Makes the table of modules in the order of their names.
  package init(_ modules: some Sequence<ModuleSet.Entry>, personal: [KeyBinding] = []) {
    let all = modules.flatMap { entry in
      entry.module.keys.map { Entry(owner: entry.module.name, binding: $0) }
    }
    let ranked = all.enumerated().sorted {
      let (left, right) = ($0.element.binding.exactness, $1.element.binding.exactness)
      return left == right ? $0.offset < $1.offset : left > right
    }
    entries = personal.map { Entry(owner: nil, binding: $0) } + ranked.map(\.element)
  }

  /// Returns the bindings that act while a screen is shown, in the order of their keys.
  ///
  /// Keys that begin with those of a binding before them can't be pressed, nor can those that one
  /// before them begins with.
  package func entries(on screen: Screen?) -> [Entry] {
    var taken = TakenKeys<Void>()
    let acting = entries.filter { entry in
      let applies =
        entry.binding.screens.map { pattern in screen.map(pattern.matches) ?? false } ?? true
      guard applies else { return false }
      // A key that a person has switched off leaves those that begin with it.
      guard entry.binding.target != nil else {
        taken.switchOff(entry.binding.keys, for: ())
        return false
      }
      return taken.take(entry.binding.keys, for: ()) == nil
    }
    return acting.sorted { $0.binding.keys.description < $1.binding.keys.description }
  }

  /// A binding that never acts, since another comes first everywhere.
  package struct Clash {
    package let lost: Entry
    package let first: Entry
  }

  /// The bindings that never act, since others for the same screens come first.
  package var clashes: [Clash] {
    var taken: [ScreenPattern?: TakenKeys<Entry>] = [:]
    return entries.compactMap { entry in
      guard entry.owner != nil else { return nil }
      let binding = entry.binding
      return taken[binding.screens, default: TakenKeys()].take(binding.keys, for: entry).map {
        Clash(lost: entry, first: $0)
      }
    }
  }
}

/// The keys that bindings have taken.
private struct TakenKeys<Holder> {
  private var whole: [KeySequence: Holder] = [:]
  private var begun: [KeySequence: Holder] = [:]

  /// Takes keys for a binding; returns the holder of those that make that impossible.
  mutating func take(_ keys: KeySequence, for holder: Holder) -> Holder? {
    let beginnings = keys.beginnings
    if let first = begun[keys] { return first }
    for beginning in beginnings {
      if let first = whole[beginning] { return first }
    }
    whole[keys] = holder
    for beginning in beginnings.dropLast() where begun[beginning] == nil {
      begun[beginning] = holder
    }
    return nil
  }

  mutating func switchOff(_ keys: KeySequence, for holder: Holder) { begun[keys] = holder }
}
