import MoonActions
package import MoonModules
package import MoonValues

/// The tasks that wait for actions and for changes of the state.
package struct Listening {
  private var exact: [Text: Set<TaskID>] = [:]
  private var families: [ActionPattern: Set<TaskID>] = [:]
  private var paths: [Path: Set<TaskID>] = [:]

  /// Makes an empty table.
  package init() {}

  package var isEmpty: Bool { exact.isEmpty && families.isEmpty && paths.isEmpty }

  package mutating func add(_ task: TaskID, for wait: Wait) {
    switch wait {
    case .action(.exact(let type)): exact[type, default: []].insert(task)
    case .action(let family): families[family, default: []].insert(task)
    case .change(let path): paths[path, default: []].insert(task)
    default: break
    }
  }

  package mutating func remove(_ task: TaskID, for wait: Wait) {
    switch wait {
    case .action(.exact(let type)): exact.remove(task, under: type)
    case .action(let family): families.remove(task, under: family)
    case .change(let path): paths.remove(task, under: path)
    default: break
    }
  }

  /// Returns the tasks that wait for an action of a type, in the order in which they began.
  package func tasks(for type: Text) -> [TaskID] {
    var found = exact[type] ?? []
    for (family, tasks) in families where family.matches(type) { found.formUnion(tasks) }
    return found.sorted()
  }

  /// Returns the tasks that wait for a part that has changed, in the order in which they began.
  ///
  /// - Complexity: O(different parts + what has changed in them).
  package func tasks(forChangesOf before: Map, to after: Map) -> [TaskID] {
    var found: Set<TaskID> = []
    for (path, tasks) in paths where after.change(at: path, since: before) != nil {
      found.formUnion(tasks)
    }
    return found.sorted()
  }
}

extension Dictionary where Value == Set<TaskID> {
  fileprivate mutating func remove(_ task: TaskID, under key: Key) {
    self[key]?.remove(task)
    if self[key]?.isEmpty == true { self[key] = nil }
  }
}
