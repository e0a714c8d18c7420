import MoonActions
import MoonModules
import MoonRouting
import MoonServiceKit
import MoonValues

/// The names that a module defines and uses, for finding those that refer to nothing.
struct ModuleNames {
  static let hostActions: Set<String> = ["failed", "reloaded", "restored", "started", "stopped"]
  static let requestActions = Set(RequestSwitch.declarations.values.map(\.name))
  static let navigationActions = Set(NavigationActions.names)

  let module: Module
  /// Whether its files can be read.
  let isScript: Bool
  /// The actions that the module declares, and those that every module has.
  let declared: Set<String>
  /// The declared actions, and those that the module reduces as its own.
  let actions: Set<String>
  let patterns: [String]
  let screenKinds: Set<String>
  let viewKinds: Set<String>
  /// The names by which its commands are called: `todo/total`.
  let commands: [String]
  private let files: [(path: String, facts: SourceFacts)]

  var name: String { module.name.text }
  var declaresActions: Bool { !module.actions.isEmpty }

  init(_ module: Module, _ generation: Generation?) {
    self.module = module
    isScript = generation != nil
    let prefix = "\(module.name)/"
    let begun = module.effects.filter { !$0.isKept }
    let patterns = module.reducers.map(\.pattern) + begun.map(\.pattern)
    let own = patterns.compactMap { pattern -> String? in
      guard case .exact(let type) = pattern, type.string.hasPrefix(prefix) else {
        return nil
      }
      return String(type.string.dropFirst(prefix.count))
    }
    declared = Set(module.actions.map(\.name) + ["start", "stop"])
    actions = declared.union(own)
    self.patterns = module.routes.map(\.pattern.text.string)
    screenKinds = Set(
      module.routes.map { ($0.kind ?? $0.name ?? Text(module.name.text)).string })
    viewKinds = Set(module.views.map(\.kind.string))
    commands = module.commands.map { $0.fullName(of: module.name) }
    files = (generation?.files.sources ?? [:]).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.facts) }
  }

  /// The quoted texts that may be types of actions, and the types that are dispatched without code.
  var writtenTypes: Set<ArraySlice<UInt8>> {
    Set(dispatched.map { Array($0.string.utf8)[...] }).union(quotedTypes)
  }

  /// The types that its program announces and its schedules dispatch.
  var dispatched: Set<Text> { module.announces.union(module.schedules.map(\.action.type)) }

  private var quotedTypes: Set<ArraySlice<UInt8>> {
    Set(files.flatMap { $0.facts.quoted.filter { $0.contains(UInt8(ascii: "/")) } })
  }

  /// Returns whether the module announces types with a prefix.
  func announces(_ prefix: Text) -> Bool {
    module.announces.contains { $0.string.hasPrefix(prefix.string) }
  }

  /// Returns whether one of the module's files has a text in quotes.
  func quotes(_ text: String) -> Bool {
    let bytes = Array(text.utf8)[...]
    return files.contains { $0.facts.quoted.contains(bytes) }
  }

  /// The kinds that screens may get when they are made.
  var writtenKinds: Set<String> { files.reduce(into: []) { $0.formUnion($1.facts.kinds) } }

  /// Whether one of the module's files calls a command by its name.
  var callsCommands: Bool { files.contains { !$0.facts.calls.isEmpty } }

  /// Returns whether a comment in one of the module's files allows a name.
  func allows(_ name: String) -> Bool { files.contains { $0.facts.allowed.contains(name) } }

  /// The slices that observers and connections select.
  var observed: [(registration: Registration, slice: Text)] {
    let selections =
      module.observers.map { ($0.registration, $0.selection) }
      + module.presenters.compactMap { part in
        part.selection.map { (part.registration, $0) }
      }
    return selections.flatMap { registration, selection in
      selection.paths.compactMap { path in
        guard case .key(let slice) = path.components.first else { return nil }
        return (registration, slice)
      }
    }
  }

  /// The registrations that refer to routes.
  var routed: [(registration: Registration, pattern: Text?)] {
    module.presenters.map { ($0.registration, $0.pattern) }
      + module.optionProviders.map { ($0.registration, $0.pattern) }
      + module.routingObservers.map { ($0.registration, $0.pattern) }
  }

  /// The registrations that refer to screens by kind.
  var followed: [(registration: Registration, screens: ScreenPattern?)] {
    module.lifecycle.map { ($0.registration, $0.screens) }
      + module.presenters.map { ($0.registration, $0.screens) }
      + module.keys.map { ($0.registration, $0.screens) }
  }

  /// Returns the module and kind of the screens that a text such as `todo/list` refers to.
  func screens(_ text: String) -> (owner: String, kind: String) {
    let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : (name, text)
  }
}

// MARK: Names in its files

extension ModuleNames {
  private static let known = Set(ScriptNames.globals + ScriptNames.libraries.keys).subtracting(
    ScriptNames.absent.keys)

  /// The globals that the module assigns or that no code assigns, the fields of its state that no
  /// code defines, and the views that return nothing.
  func doubtfulNames(_ suggestions: Suggestions) -> [DoubtfulName] {
    Array(
      (globals(suggestions) + stateFields(suggestions) + emptyViews).filter { !allows($0.name) }
        .prefix(DeadNames.countMax))
  }

  /// Returns the commands that the module calls, and that aren't there.
  ///
  /// `owner` returns the commands of a module; nil if they aren't known.
  func unknownCommands(
    _ suggestions: Suggestions, _ owner: (String) -> [String]?
  ) -> [DoubtfulName] {
    files.flatMap { path, facts in
      facts.calls.compactMap { call -> DoubtfulName? in
        let parts = call.text.split(separator: "/", maxSplits: 1).map(String.init)
        let full = parts.count < 2 ? "\(name)/\(call.text)" : call.text
        guard let known = owner(parts.count < 2 ? name : parts[0]), !known.contains(full),
          !allows(call.text)
        else { return nil }
        let nearest = suggestions.search { Spelling.nearest(to: full, in: known + commands) }
        return doubtful(call, path, .unknownCommand, nearest)
      }
    }
  }

  /// Returns the actions that the module dispatches, or puts on buttons, and that `knows` rejects,
  /// and the URLs on buttons that `takes` rejects.
  func unknownTargets(
    knows: (Text) -> Bool, takes: (Text) -> Bool, nearest: (String) -> String?
  ) -> [DoubtfulName] {
    files.flatMap { path, facts in
      facts.targets.compactMap { target -> DoubtfulName? in
        guard !target.text.isEmpty, !allows(target.text) else { return nil }
        if target.text.hasPrefix("/") {
          return takes(Text(target.text)) ? nil : doubtful(target, path, .unknownURL, nil)
        }
        let isFull = target.text.contains("/")
        // A library doesn't say whose action it means.
        guard !target.text.contains(":"), isFull || isOwn(path) else { return nil }
        let type = isFull ? target.text : "\(name)/\(target.text)"
        return knows(Text(type)) ? nil : doubtful(target, path, .unknownAction, nearest(type))
      }
    }
  }

  /// Whether any of its tasks waits for actions.
  var takesActions: Bool { files.contains(where: \.facts.takesActions) }

  /// Returns the actions that the module declares and that `isHeard` rejects.
  func unheardActions(_ isHeard: (Text) -> Bool) -> [DoubtfulName] {
    module.actions.compactMap { action in
      // Mappers may start and stop any module.
      guard !action.isDerived, action.name != "start", action.name != "stop",
        !isHeard(Text("\(name)/\(action.name)")), !allows(action.name),
        let file = files.first(where: { isOwn($0.path) && $0.facts.fieldLines[action.name] != nil }
        ),
        let line = file.facts.fieldLines[action.name]
      else { return nil }
      return doubtful(
        SourceFacts.Name(text: action.name, line: line), file.path, .unheardAction, nil)
    }
  }

  /// Returns whether a file belongs to the module alone.
  private func isOwn(_ path: String) -> Bool {
    path == "\(name).lua" || path.hasPrefix("\(name)/")
  }

  private func globals(_ suggestions: Suggestions) -> [DoubtfulName] {
    guard !files.contains(where: \.facts.hasDynamicGlobals) else { return [] }
    let assigned = Set(files.flatMap { $0.facts.assigned.map(\.text) })
    return files.flatMap { path, facts in
      facts.assigned.map { doubtful($0, path, .assignedGlobal, nil) }
        + facts.read.filter { name in
          !Self.known.contains(name.text) && !assigned.contains(name.text)
        }.prefix(DeadNames.countMax).map { name in
          if ScriptNames.absent[name.text] != nil {
            return doubtful(name, path, .unassignedGlobal, nil)
          }
          let nearest = suggestions.search {
            let known = Self.known.union(assigned).union(facts.locals)
            return Spelling.nearest(to: name.text, in: known.sorted())
          }
          return doubtful(name, path, .unassignedGlobal, nearest)
        }
    }
  }

  private var emptyViews: [DoubtfulName] {
    module.views.compactMap { view in
      guard let place = view.registration.place,
        let facts = files.first(where: { $0.path == place.file })?.facts,
        facts.returnlessLines.contains(place.line)
      else { return nil }
      return DoubtfulName(
        module: module.name, name: view.kind.string, place: place, reason: .returnsNothing,
        nearest: nil)
    }
  }

  private func doubtful(
    _ name: SourceFacts.Name, _ path: String, _ reason: DoubtfulName.Reason, _ nearest: String?
  ) -> DoubtfulName {
    DoubtfulName(
      module: module.name, name: name.text, place: SourcePlace(file: path, line: name.line),
      reason: reason, nearest: nearest, column: name.column)
  }

  /// The fields of `state` that are read, and that neither the module's `state` nor any of its
  /// files defines.
  ///
  /// Modules whose fields may be created at run time are omitted.
  private func stateFields(_ suggestions: Suggestions) -> [DoubtfulName] {
    guard case .map(let state) = module.state, module.wholeStateReducers.isEmpty,
      !files.contains(where: \.facts.hasDynamicState)
    else { return [] }
    let initial = state.keys.compactMap { key in
      if case .string(let name) = key { name.string } else { String?.none }
    }
    let written = files.reduce(into: Set(initial)) { $0.formUnion($1.facts.fields) }
    return files.flatMap { path, facts in
      facts.stateReads.filter { !written.contains($0.text) && !quotes($0.text) }.map { name in
        let nearest = suggestions.search { Spelling.nearest(to: name.text, in: initial) }
        return doubtful(name, path, .unknownField, nearest)
      }
    }
  }
}
