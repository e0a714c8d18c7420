import MoonNavigation
import MoonTestSupport
import MoonValues
import Testing

struct TransitionTests {
  static let seeds: [UInt64] = Array(1...12)
  static let stepCount = 300

  @Test(arguments: seeds)
  func `every tree of a long random run is valid and its reports are exact`(seed: UInt64) throws {
    var random = RandomNavigation(seed: seed)
    var tree = NavigationTree()
    var lives = ScreenLives()
    var kept: [NavigationTree] = []
    var doneCount = 0
    for step in 0..<Self.stepCount {
      let place: Comment = "seed \(seed), step \(step)"
      let transition: Transition
      if random.random.below(25) == 0, let past = kept.randomElement(using: &random.random) {
        transition = Transition(from: tree, to: past)
        #expect(transition.tree == past, place)
      } else {
        let action = random.action(for: tree)
        let before = tree
        do throws(NavigationError) {
          transition = try tree.applying(action)
        } catch {
          #expect(tree == before, place)
          continue
        }
        doneCount += 1
        #expect(transition.completions.allSatisfy { $0.origin == action.origin }, place)
        #expect(transition.completions.allSatisfy { $0.motion == action.motion }, place)
        #expect(transition.events.allSatisfy { $0.motion == action.motion }, place)
        try checkReports(transition, from: tree, place)
        checkComparison(transition, of: action, from: tree, place)
        let again = try before.applying(action)
        #expect(again == transition, place)
      }
      try checkTree(transition.tree, place)
      lives.follow(transition, place)
      if transition.tree.windows == tree.windows {
        #expect(transition.events.isEmpty && transition.unloaded.isEmpty, place)
      }
      tree = transition.tree
      kept.append(tree)
    }
    #expect(doneCount > Self.stepCount / 3, "seed \(seed): too little of it can be done")
  }

  @Test(arguments: seeds)
  func `the completions between any two trees lead there and back`(seed: UInt64) throws {
    var random = RandomNavigation(seed: seed)
    for step in 0..<150 {
      let place: Comment = "seed \(seed), step \(step)"
      let old = random.tree()
      let new = random.tree()
      let transition = Transition(from: old, to: new)
      var tree = old
      for completion in transition.completions { tree = try tree.applying(completion) }
      #expect(tree.windows == new.windows && tree.keyWindowID == new.keyWindowID, place)
      for completion in transition.completions.reversed() {
        tree = try tree.applying(completion.reversed())
      }
      #expect(tree.windows == old.windows && tree.keyWindowID == old.keyWindowID, place)
      var lives = ScreenLives()
      lives.follow(Transition(from: NavigationTree(), to: old), place)
      lives.follow(transition, place)
    }
  }

  @Test(arguments: seeds.prefix(6))
  func `an action that is read from its payload makes the same transition`(seed: UInt64) throws {
    var random = RandomNavigation(seed: seed)
    var tree = try NavigationTree(.stack("stack", of: "ab"))
    for number in 0..<Self.stepCount {
      let action = random.action(for: tree)
      let read = try? NavigationAction(type: action.type, payload: action.payload)
      let transition = try? tree.applying(action)
      let other = try? read.map { read throws in try tree.applying(read) } ?? nil
      #expect(transition == other, "seed \(seed), step \(number)")
      if let transition { tree = transition.tree }
    }
  }

  @Test func `no push puts a screen on a stack whose values are nested too deep`() throws {
    let tree = try NavigationTree(.stack("stack", of: "ab"))
    for (depth, isPossible) in [
      (NavigationTree.contentDepthMax, true), (NavigationTree.contentDepthMax + 1, false),
    ] {
      var screen: Screen = .named("c")
      screen.props = (1..<depth).reduce(.map(Map())) { value, _ in ["in": value] }
      let push = NavigationAction(.push(screen))
      #expect(((try? tree.applying(push)) != nil) == isPossible)
    }
  }

  @Test func `a push leaves the values of all other screens where they are`() throws {
    var tree = try NavigationTree(.stack("stack", of: "abcdefgh"))
    for (index, id) in ["i", "j", "k"].enumerated() {
      let next = try tree.applying(NavigationAction(.push(.named(Text(id))))).tree
      let root = try #require(tree.windows[0].root)
      let items = try #require(next.windows[0].root).items
      #expect(items.count == 9 + index)
      for (old, new) in zip(root.items, items) { #expect(old.value.isIdentical(to: new.value)) }
      tree = next
    }
  }

  @Test func `what both trees share isn't reported`() throws {
    var random = RandomNavigation(seed: 7)
    for _ in 0..<100 {
      let tree = random.tree()
      let transition = Transition(from: tree, to: tree)
      #expect(transition.completions.isEmpty && transition.events.isEmpty)
    }
  }

  @Test func `a step back leads to the tree from which the step forward came`() throws {
    var trees = [try NavigationTree(.stack("stack", of: "ab"))]
    for number in 0..<40 {
      let push = NavigationAction(.push(.named(Text("pushed-\(number)"))))
      trees.append(try trees[number].applying(push).tree)
    }
    var tree = trees[40]
    for number in (0..<40).reversed() {
      let transition = try tree.applying(NavigationAction(.back, origin: .user))
      checkComparison(
        transition, of: NavigationAction(.back, origin: .user), from: tree, "\(number)")
      tree = transition.tree
      #expect(tree == trees[number])
      #expect(tree.value == trees[number].value)
    }
    let once = try trees[0].applying(NavigationAction(.back)).tree
    #expect(once.screens.map(\.id) == ["a"])
  }

  @Test func `a step back keeps what has changed since the step forward`() throws {
    let first = try NavigationTree(.stack("stack", of: "ab"))
    let pushed = try first.applying(NavigationAction(.push(.named("c")))).tree
    var changed: Screen = .named("a")
    changed.title = "changed"
    let updated = try pushed.applying(NavigationAction(.update(changed))).tree
    let back = try updated.applying(NavigationAction(.back)).tree
    #expect(back.screens.map(\.id) == ["a", "b"] && back.screens[0].title == "changed")
    #expect(try pushed.applying(NavigationAction(.back)).tree == first)
  }

  @Test func `a step back in another window than the step forward leads elsewhere`() throws {
    let tree = try NavigationTree(windows: [
      NavigationWindow(id: "main", root: .stack("stack", [.named("a"), .named("b")])),
      NavigationWindow(id: "other", root: .stack("pile", [.named("x"), .named("y")])),
    ])
    let pushed = try tree.applying(NavigationAction(.push(.named("c")))).tree
    let back = try pushed.applying(NavigationAction(.back, window: "other")).tree
    #expect(back.screens.map(\.id) == ["a", "b", "c", "x"])
    #expect(try back.applying(NavigationAction(.back)).tree.screens.map(\.id) == ["a", "b", "x"])
  }

  @Test func `the ids of a tree are known after steps as before`() throws {
    let ids: [Text] = [
      "page", "page-2", "page-007", "page-12", "-3", "page-", "long-word-of-a-screen-9",
    ]
    var tree = try NavigationTree(.stack("stack", of: "ab"))
    for id in ids {
      tree = try tree.applying(NavigationAction(.push(.named(id)))).tree
      #expect(tree.contains(id))
      #expect(throws: NavigationError.self) {
        try tree.applying(NavigationAction(.push(.named(id))))
      }
    }
    #expect(!tree.contains("page-7") && !tree.contains("page-07") && !tree.contains("page-02"))
    #expect(tree.highestNumber(after: "page") == 12)
    #expect(tree.highestNumber(after: "long-word-of-a-screen") == 9)
    #expect(tree.highestNumber(after: "pag") == nil)
    // Several at a time, so that no step leads to a former tree.
    for (count, highest) in [(3, 12), (2, 2), (2, nil)] as [(Int, Int?)] {
      tree = try tree.applying(NavigationAction(.pop(count: count))).tree
      #expect(tree.highestNumber(after: "page") == highest)
    }
    #expect(ids.allSatisfy { !tree.contains($0) })
  }

  @Test(arguments: seeds) func `the numbers of ids are known after any changes`(seed: UInt64) throws
  {
    var random = RandomNavigation(seed: seed)
    var tree = try NavigationTree(.stack("stack", of: "a"))
    for _ in 0..<40 {
      let numbers = Set((0..<random.random.below(30)).map { _ in random.random.below(25) })
      let screens = numbers.shuffled(using: &random.random).map { Screen.named(Text("word-\($0)")) }
      tree = try tree.applying(NavigationAction(.setNavigation(screens))).tree
      for number in 0..<26 {
        #expect(tree.contains(Text("word-\(number)")) == numbers.contains(number))
      }
      #expect(tree.highestNumber(after: "word") == numbers.max())
    }
  }

  @Test func `the numbers of ids are known on the way back from a deep stack`() throws {
    var tree = try NavigationTree(.stack("stack", of: "a"))
    for number in 2...60 {
      tree = try tree.applying(NavigationAction(.push(.named(Text("word-\(number)"))))).tree
    }
    for number in (2...60).reversed() {
      #expect(tree.contains(Text("word-\(number)")))
      #expect(tree.highestNumber(after: "word") == number)
      tree = try tree.applying(NavigationAction(.back)).tree
      #expect(!tree.contains(Text("word-\(number)")))
    }
  }

  @Test(arguments: seeds)
  func `the numbers of ids are known while screens come and go one by one`(seed: UInt64) throws {
    var random = RandomNavigation(seed: seed)
    var tree = try NavigationTree(.stack("stack", of: "a"))
    var ids: [Text] = []
    for _ in 0..<120 {
      let id = Text(["page-", "word-"][random.random.below(2)] + "\(1 + random.random.below(12))")
      // Mostly the next number of a word, as sessions make ids.
      let word: Text = random.random.below(3) == 0 ? "page" : "word"
      let next = Text("\(word)-\((tree.highestNumber(after: word) ?? 1) + 1)")
      let pushed = random.random.below(4) == 0 ? id : next
      if random.random.below(5) < 3 {
        if ids.contains(pushed) {
          #expect(throws: NavigationError.self) {
            try tree.applying(NavigationAction(.push(.named(pushed))))
          }
        } else {
          tree = try tree.applying(NavigationAction(.push(.named(pushed)))).tree
          ids.append(pushed)
        }
      } else if !ids.isEmpty {
        // Two at a time lead to no former tree.
        let count = min(ids.count, 1 + random.random.below(2))
        tree = try tree.applying(NavigationAction(.pop(count: count))).tree
        ids.removeLast(count)
      }
      for word in ["page", "word"] as [Text] {
        let numbers = ids.compactMap { id in id.wordAndNumber.flatMap { $0.word == word ? $0 : nil }
        }
        #expect(tree.highestNumber(after: word) == numbers.map { Int($0.number) }.max())
      }
      for number in 1..<40 {
        for word in ["page", "word"] {
          #expect(
            tree.contains(Text("\(word)-\(number)")) == ids.contains(Text("\(word)-\(number)")))
        }
      }
    }
  }

  /// Checks the reports of an action against a comparison of the trees.
  private func checkComparison(
    _ transition: Transition, of action: NavigationAction, from old: NavigationTree,
    _ place: Comment
  ) {
    let compared = Transition(
      from: old, to: transition.tree, motion: action.motion, origin: action.origin)
    #expect(transition.events == compared.events, place)
    #expect(transition.unloaded == compared.unloaded, place)
    // A person's selection of the selected tab isn't seen in the tree.
    if !compared.completions.isEmpty {
      #expect(transition.completions == compared.completions, place)
    }
  }

  private func checkReports(
    _ transition: Transition, from old: NavigationTree, _ place: Comment
  ) throws {
    var tree = old
    for completion in transition.completions { tree = try tree.applying(completion) }
    #expect(tree.windows == transition.tree.windows, place)
    #expect(tree.keyWindowID == transition.tree.keyWindowID, place)
    #expect(tree.loadedIDs.isSuperset(of: transition.tree.loadedIDs), place)
    for completion in transition.completions.reversed() {
      tree = try tree.applying(completion.reversed())
    }
    #expect(tree.windows == old.windows && tree.keyWindowID == old.keyWindowID, place)
    for completion in transition.completions {
      let read = try NavigationCompletion(type: completion.type, payload: completion.payload)
      #expect(read == completion, place)
    }
  }

  private func checkTree(_ tree: NavigationTree, _ place: Comment) throws {
    let nodes = tree.allNodes
    let ids = nodes.map(\.id) + tree.windows.map(\.id)
    #expect(Set(ids).count == ids.count, place)
    for node in nodes {
      switch node.content {
      case .screen: break
      case .stack(_, let items): #expect(items.allSatisfy { $0.screen != nil }, place)
      case .split(_, let master, let detail, _, _):
        for column in [master, detail] {
          switch column.content {
          case .screen, .stack: break
          case .tabs, .split: Issue.record(place)
          }
        }
      case .tabs(_, let items, let index):
        #expect(items.indices.contains(index) || (items.isEmpty && index == 0), place)
        #expect(items.allSatisfy { if case .tabs = $0.content { false } else { true } }, place)
      }
    }
    #expect(tree.windows.count <= NavigationTree.windowCountMax, place)
    #expect(nodes.count <= NavigationTree.nodeCountMax, place)
    #expect(tree.windows.contains { $0.id == tree.keyWindowID } != tree.windows.isEmpty, place)
    #expect(tree.visibleScreens == tree.obviousScreens, place)
    #expect(tree.loadedIDs.isSuperset(of: tree.visibleScreens.map(\.id)), place)
    #expect(tree.loadedIDs.isSubset(of: tree.screens.map(\.id)), place)
    #expect(try NavigationTree(tree.value) == tree, place)
  }
}

/// The sequence of each screen's events so far.
struct ScreenLives {
  private var last: [Text: LifecycleStage] = [:]

  /// The stages that may follow each stage; nil stands for a screen that isn't loaded.
  static let legal: [LifecycleStage?: Set<LifecycleStage>] = [
    nil: [.load], .load: [.didLoad], .didLoad: [.willAppear], .willAppear: [.didAppear],
    .didAppear: [.willDisappear], .willDisappear: [.didDisappear], .didDisappear: [.willAppear],
  ]

  mutating func follow(_ transition: Transition, _ place: Comment) {
    for event in transition.events {
      let stage = last[event.screen.id]
      #expect(
        ScreenLives.legal[stage]?.contains(event.stage) == true,
        "\(place): \(event.screen.id) \(event.stage.rawValue) after \(stage?.rawValue ?? "nothing")"
      )
      last[event.screen.id] = event.stage
    }
    for screen in transition.unloaded {
      let stage = last.removeValue(forKey: screen.id)
      #expect(stage == .didDisappear || stage == .didLoad, place)
    }
    let appeared = last.filter { $0.value == .didAppear }.keys
    #expect(Set(appeared) == Set(transition.tree.obviousScreens.map(\.id)), place)
    #expect(Set(last.keys) == transition.tree.loadedIDs, place)
    #expect(
      last.values.allSatisfy { [.didLoad, .didAppear, .didDisappear].contains($0) }, place)
  }
}
