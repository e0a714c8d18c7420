import MoonValues

// Every change is checked against the old values that it names, since it may come from an old
// recording.
extension NavigationTree {
  mutating func apply(_ change: NavigationChange) throws(NavigationError) {
    func mismatch(_ id: Text) -> NavigationError { .completionMismatch(change.typeName, id: id) }

    switch change {
    case .start(let window, let index), .restore(let window, let index):
      guard index >= 0, index <= windows.count else { throw mismatch(window.id) }
      windows.insert(window, at: index)
      if windows.count == 1 { keyWindowID = window.id }
    case .close(let window, let index):
      guard windows.indices.contains(index), windows[index] == window else {
        throw mismatch(window.id)
      }
      windows.remove(at: index)
      if windows.isEmpty { keyWindowID = nil }
    case .focus(let id, let previous):
      guard keyWindowID == previous, windows.contains(where: { $0.id == id }) else {
        throw mismatch(id)
      }
      keyWindowID = id
    case .set(let root, let previous, let id):
      guard let index = windows.firstIndex(where: { $0.id == id }),
        windows[index].root == previous
      else { throw mismatch(id) }
      windows[index].root = root
    case .present(let node, let id):
      try edit(id, mismatch(id)) { presenter in
        guard presenter.presented == nil else { return false }
        presenter.presented = node
        return true
      }
    case .dismiss(let node, let id):
      try edit(id, mismatch(id)) { presenter in
        guard presenter.presented == node else { return false }
        presenter.presented = nil
        return true
      }
    case .update(let screen, let previous):
      try edit(screen.id, mismatch(screen.id)) { node in
        guard node.screen == previous else { return false }
        node.content = .screen(screen)
        return true
      }
    case .push(_, let id), .pop(_, let id), .setNavigation(_, _, let id):
      try edit(id, mismatch(id)) { $0.isStack && $0.applyToStack(change) }
    case .insertTab(_, _, let id, _), .removeTab(_, _, let id, _), .setTabs(_, _, let id, _),
      .selectTab(_, let id, _):
      try edit(id, mismatch(id)) { $0.isTabs && $0.applyToTabs(change) }
    case .setColumn(_, _, _, let id), .selectColumn(_, let id), .collapse(let id), .expand(let id):
      try edit(id, mismatch(id)) { $0.isSplit && $0.applyToSplit(change) }
    }
  }

  private mutating func edit(
    _ id: Text, _ mismatch: NavigationError, _ body: (inout NavigationNode) -> Bool
  ) throws(NavigationError) {
    guard let place = place(of: id) else { throw mismatch }
    try update(at: place) { node throws(NavigationError) in
      guard body(&node) else { throw mismatch }
    }
  }
}

extension NavigationNode {
  fileprivate mutating func applyToStack(_ change: NavigationChange) -> Bool {
    var items = items
    switch change {
    case .push(let node, _): items.append(node)
    case .pop(let node, _):
      guard items.popLast() == node else { return false }
    case .setNavigation(let new, let previous, _):
      guard items.elementsEqual(previous) else { return false }
      items = NavigationItems(new)
    default: return false
    }
    setItems(items)
    return true
  }

  fileprivate mutating func applyToSplit(_ change: NavigationChange) -> Bool {
    var items = items
    var selectedIndex = shownIndex ?? 0
    switch change {
    case .setColumn(let column, let node, let previous, _):
      guard items[column.index] == previous else { return false }
      items[column.index] = node
    case .selectColumn(let column, _):
      guard column.index != selectedIndex else { return false }
      selectedIndex = column.index
    case .collapse: return !isCollapsed && setCollapsed(true)
    case .expand: return isCollapsed && setCollapsed(false)
    default: return false
    }
    setItems(items, selectedIndex: selectedIndex)
    return true
  }

  fileprivate mutating func applyToTabs(_ change: NavigationChange) -> Bool {
    var items = items
    let selection: TabSelection
    switch change {
    case .insertTab(let node, let index, _, let tabSelection):
      guard index >= 0, index <= items.count else { return false }
      items.insert(node, at: index)
      selection = tabSelection
    case .removeTab(let node, let index, _, let tabSelection):
      guard items.indices.contains(index), items[index] == node else { return false }
      items.remove(at: index)
      selection = tabSelection
    case .setTabs(let new, let previous, _, let tabSelection):
      guard items.elementsEqual(previous) else { return false }
      items = NavigationItems(new)
      selection = tabSelection
    case .selectTab(_, _, let tabSelection): selection = tabSelection
    default: return false
    }
    guard (shownIndex ?? 0) == selection.previous else { return false }
    setItems(items, selectedIndex: selection.current)
    return true
  }
}
