import MoonNavigation
import MoonStore
import MoonValues

/// The navigation tree as a part of the state: reading it, changing it, telling what has changed.
extension Session {
  /// The slice that holds the navigation; it is there from the first change on.
  static let navigationKey: Key = "navigation"

  /// Where every app begins: one window with an empty stack.
  static let firstTree: NavigationTree = {
    do throws(NavigationError) {
      return try NavigationTree(windows: [
        NavigationWindow(id: "main", root: .stack("stack"))
      ])
    } catch {
      preconditionFailure("one empty stack is a tree: \(error)")
    }
  }()

  /// The tree that the state holds.
  ///
  /// O(1) while it is the one that was read last.
  ///
  /// - Throws: ``DispatchError/navigation(_:)`` if the slice holds something else.
  func navigationTree() throws(DispatchError) -> NavigationTree {
    try navigationTree(in: state)
  }

  private func navigationTree(in state: Map) throws(DispatchError) -> NavigationTree {
    guard let value = state[Self.navigationKey] else { return Self.firstTree }
    if let tree = navigation.tree(for: value) { return tree }
    do throws(NavigationValueError) {
      let tree = try NavigationTree(value)
      navigation.note(tree, for: value)
      return tree
    } catch {
      throw .navigation(.malformed(error))
    }
  }

  /// Does a navigation action to the tree.
  func apply(_ action: Action, _ work: inout Work) throws(NavigationProblem) {
    let transition = try transition(action, work.tree)
    work.transitions.append(transition)
    guard transition.tree != work.tree else { return }
    if formerTree == nil { formerTree = work.tree }
    work.tree = transition.tree
    let value = transition.tree.value
    navigation.note(transition.tree, for: value)
    work.next[Self.navigationKey] = value
  }

  private func transition(
    _ action: Action, _ tree: NavigationTree
  ) throws(NavigationProblem) -> Transition {
    let navigation: NavigationAction
    do throws(NavigationValueError) {
      navigation = try NavigationAction(type: action.type, payload: action.payload)
    } catch {
      throw .malformed(error)
    }
    do throws(NavigationError) {
      return try tree.applying(navigation)
    } catch {
      throw .refused(error)
    }
  }

  /// Finds out what became of the tree if something else than navigation has changed it.
  func checkNavigation(_ work: inout Work) throws(DispatchError) {
    let tree = try navigationTree(in: work.next)
    guard tree != work.tree else { return }
    if formerTree == nil { formerTree = work.tree }
    work.transitions.append(Transition(from: work.tree, to: tree))
    work.tree = tree
  }

  /// Tells what has changed: completions are queued, screens and observers of routings are told.
  func finishNavigation(_ work: Work) {
    for transition in work.transitions {
      for completion in transition.completions {
        announce(completion.type, completion.payload)
      }
      for event in transition.events {
        tell(
          ScreenEvent(
            stage: ScreenStage(event.stage), screen: event.screen, windowID: event.windowID,
            isAnimated: event.motion == .animated))
      }
      for screen in transition.unloaded where work.tree.screen(screen.id) == nil {
        forms[screen.id] = nil
      }
    }
    for routing in work.routings { finish(routing, in: work.tree) }
  }

  /// Tells the module of a screen what happened to it.
  func tell(_ event: ScreenEvent) {
    guard let owner = event.screen.owner.flatMap({ ModuleName($0.module.string) }) else { return }
    for listener in modules.registry.router.listeners(of: owner, event.stage) {
      attempt(listener.registration, of: owner) { try listener.body(event, $0) }
    }
  }

  /// Whether something that has no stack is presented over a window, nil for the key window.
  func coversStack(ofWindow id: Text?) -> Bool {
    guard let tree = try? navigationTree(), let window = id ?? tree.keyWindowID,
      var node = tree.windows.first(where: { $0.id == window })?.root
    else { return false }
    var covering: NavigationNode?
    while true {
      if let presented = node.presented {
        (covering, node) = (presented, presented)
      } else if let index = node.shownIndex {
        node = node.items[index]
      } else {
        return covering.map { $0.items.isEmpty && $0.screen != nil } ?? false
      }
    }
  }

  /// An id that no screen or container has: the word, or the word and a number.
  func freshID(for word: Text, besides taken: Set<Text> = []) -> Text {
    let tree = (try? navigationTree()) ?? Self.firstTree
    return Self.freshID(for: word, in: tree, besides: taken)
  }

  static func freshID(for word: Text, in tree: NavigationTree, besides taken: Set<Text>) -> Text {
    let prefix = Text("\(word)-")
    var isTaken = false
    var last = 1
    func note(_ id: Text) {
      if id == word { isTaken = true }
      if id.hasPrefix(prefix), let number = number(behind: prefix, in: id) {
        last = max(last, number)
      }
    }
    for id in taken { note(id) }
    for window in tree.windows { note(window.id) }
    tree.forEachNode { note($0.id) }
    return isTaken ? Text("\(word)-\(last + 1)") : word
  }

  /// The number that an id ends with; nil if it isn't one, or one that no count reaches.
  private static func number(behind prefix: Text, in id: Text) -> Int? {
    id.withUTF8 { bytes in
      let digits = bytes.dropFirst(prefix.utf8Count)
      guard (1...9).contains(digits.count) else { return nil }
      var number = 0
      for byte in digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        number = 10 * number + Int(byte - UInt8(ascii: "0"))
      }
      return number
    }
  }

  // MARK: Reloads

  /// Makes screens again whose module has changed, whose URL is now taken by one that has, or
  /// that one has presenters for or had, and looks for routes of placeholders.
  ///
  /// `former`: what the changed ones were before. `orGone`: those whose module isn't there become
  /// placeholders, too.
  func remakeScreens(
    of changed: Set<ModuleName>, former: [Module] = [], orGone: Bool = false
  ) {
    guard state[Self.navigationKey] != nil, let tree = try? navigationTree() else { return }
    bindings.session = self
    let now = changed.compactMap { modules[$0]?.module }
    let presenters = (former + now).flatMap(\.presenters)
    for screen in tree.screens {
      let owner = screen.owner.flatMap { ModuleName($0.module.string) }
      let isGone = orGone && owner.map { modules[$0] == nil } ?? false
      guard
        screen.isPlaceholder || isGone || owner.map(changed.contains) ?? false
          || isConcerned(screen, by: changed, presenters)
      else { continue }
      guard let made = remade(screen, of: owner, in: tree), made != screen else { continue }
      do throws(DispatchError) {
        try enqueue(Action(NavigationAction(.update(made))), cause: .host)
      } catch {
        fail(Action(NavigationAction(.update(made))), error)
      }
    }
  }

  /// Whether one of these modules takes a screen's URL now, or one of these presenters sees it.
  ///
  /// A route for everything may have stood in for one that was gone.
  private func isConcerned(
    _ screen: Screen, by changed: Set<ModuleName>, _ presenters: [Presenter]
  ) -> Bool {
    let router = modules.registry.router
    guard let url = screen.url,
      let request = try? RouteRequest(parsing: url, options: router.routing.urls)
    else { return false }
    for (index, match) in router.table.matches(request).enumerated() {
      let bound = router.routes[match.id]
      if index == 0, changed.contains(bound.owner) { return true }
      let pattern = bound.route.pattern.text
      // Those that come later may have made it, as the ones before them may decline.
      if presenters.contains(where: { $0.pattern == nil || $0.pattern == pattern }) { return true }
    }
    return false
  }

  /// The screen as it would be made now; nil to leave it as it is.
  private func remade(_ screen: Screen, of owner: ModuleName?, in tree: NavigationTree) -> Screen? {
    guard let url = screen.url else {
      var kept = screen
      kept.isPlaceholder = owner.map { modules[$0] == nil } ?? false
      return kept
    }
    do throws(RoutingError) {
      return try remadeScreen(for: url, screen, tree)
    } catch {
      switch error.reason {
      case .noRoute, .suspended, .declined, .handlersOnly:
        var placeholder = screen
        placeholder.isPlaceholder = true
        return placeholder
      case .fault(let fault):
        faults.append(fault)
        report(.fault(id, fault))
      default: fail(.route(url, passing: screen.parameters.mapValue ?? Map()), .routing(error))
      }
      return nil
    }
  }
}

/// The tree of the slice's value, so that it is read once.
struct NavigationCache {
  private var value: Value?
  private var tree: NavigationTree?

  func tree(for value: Value) -> NavigationTree? {
    guard let known = self.value, known.isIdentical(to: value) else { return nil }
    return tree
  }

  mutating func note(_ tree: NavigationTree, for value: Value) {
    self.value = value
    self.tree = tree
  }
}

/// What a person has done to a screen and that isn't the app's yet.
struct ScreenForm {
  /// What was typed, by input.
  var inputs = Map()
  /// What was shown or hidden, by element.
  var visibility: [Text: Bool] = [:]
}
