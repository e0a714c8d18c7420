import Moonwire

extension Todos.State {
  /// How many changes can be undone.
  static var pastMax: Int { 20 }

  /// The items that the filter lets through.
  var shown: [Todos.Item] {
    switch filter {
    case .all: items
    case .open: items.filter { !$0.isDone }
    case .done: items.filter(\.isDone)
    }
  }

  var otherFilters: [Todos.Filter] { Todos.Filter.allCases.filter { $0 != filter } }

  /// The item that a URL names, as the text of a parameter.
  func item(_ id: String) -> Todos.Item? { items.first { String($0.id) == id } }

  /// Carries out a change.
  ///
  /// - Throws: `Refusal` for what makes no sense. Whoever asked for it gets the reason, and nothing
  ///   has changed.
  mutating func apply(_ change: Todos.Change) throws {
    let before = items
    switch change {
    case .add(let title):
      items.append(Todos.Item(id: nextID, title: try Self.tidy(title)))
      nextID += 1
    case .toggle(let id): items[try index(of: id)].isDone.toggle()
    case .rename(let id, let title): items[try index(of: id)].title = try Self.tidy(title)
    case .remove(let id): items.remove(at: try index(of: id))
    case .show(let filter): self.filter = filter
    case .undo:
      guard let last = past.popLast() else { throw Refusal("there is nothing to undo") }
      items = last
      return
    }
    if items != before { past = (past + [before]).suffix(Self.pastMax) }
  }

  private func index(of id: Int) throws -> Int {
    guard let index = items.firstIndex(where: { $0.id == id }) else {
      throw Refusal("there is no item \(id)")
    }
    return index
  }

  private static func tidy(_ title: String) throws -> String {
    let words = title.split(whereSeparator: \.isWhitespace)
    if words.isEmpty { throw Refusal("an item needs a title") }
    return words.joined(separator: " ")
  }
}
