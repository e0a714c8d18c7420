import MoonNavigation
import MoonValues

extension AncestorCase {
  private static let presented = NavigationNode.screen(
    "a", presenting: .screen("b", presenting: .screen("c")))
  private static let threeTabs = NavigationNode.tabs(of: "abc", selected: 1)
  private static let modalStack = NavigationNode.stack(
    "s", of: "ab", presenting: .stack("m", of: "xy"))

  static let caesura: [AncestorCase] = [
    // Presenting and dismissing.
    .init(
      .reproduced, "presenting is reported with its presenter", .stack("s", of: "a"),
      .present(.screen("m")), .reports(["present m on a"])),
    .init(
      .mended, "an empty container's presenting is reported, too", .stack("s", of: ""),
      .present(.screen("m")), .reports(["present m on s"])),
    .init(
      .reproduced, "dismissing more than there is dismisses all, the topmost first", presented,
      .dismiss(count: 10), .reports(["dismiss c from b", "dismiss b from a"])),
    .init(
      .reproduced, "dismissing one takes the topmost", presented, .dismiss(),
      .reports(["dismiss c from b"])),
    .init(
      .reproduced, "a person's swipe is one report", presented, .dismiss(), .user,
      .reports(["dismiss c from b"])),
    .init(
      .mended, "dismissing where nothing is presented was silent", .screen("a"), .dismiss(),
      .error(.nothingToDismiss(window: "main"))),
    .init(
      .reproduced, "dismissing to a root alone does nothing", .screen("a"), .dismissTo("a"),
      .nothing),
    .init(
      .reproduced, "dismissing to the top does nothing", presented, .dismissTo("c"), .nothing),
    .init(
      .reproduced, "dismissing to a screen dismisses what is above it", presented,
      .dismissTo("a"), .reports(["dismiss c from b", "dismiss b from a"])),
    .init(
      .reproduced, "dismissing to the root", presented, .dismissToRoot,
      .reports(["dismiss c from b", "dismiss b from a"])),
    .init(
      .reproduced, "dismissing to the root where nothing is presented", .screen("a"),
      .dismissToRoot, .nothing),
    .init(
      .reproduced, "the container is what is dismissed",
      .screen(
        "a", presenting: .tabs("t", [.stack("s", of: "v")])), .dismiss(),
      .reports(["dismiss t from a"])),
    .init(
      .mended, "more than one level is followed from a plain screen to the top", presented,
      .present(.screen("d")), .reports(["present d on c"])),

    // Stacks.
    .init(
      .reproduced, "one more is a push", .stack("s", of: "ab"), .setNavigation(screens("abc")),
      .reports(["push c"], ["└─ stack  a › b › c*"])),
    .init(
      .reproduced, "one less is a pop", .stack("s", of: "ab"), .setNavigation(screens("a")),
      .reports(["pop b"])),
    .init(
      .reproduced, "other screens are a new stack", .stack("s", of: "ab"),
      .setNavigation(screens("cd")), .reports(["stack [a,b]→[c,d]"])),
    .init(
      .reproduced, "the last one alone is a new stack", .stack("s", of: "ab"),
      .setNavigation(screens("b")), .reports(["stack [a,b]→[b]"])),
    .init(
      .reproduced, "the same stack is nothing", .stack("s", of: "ab"),
      .setNavigation(screens("ab")), .nothing),
    .init(
      .reproduced, "no screens are a new stack", .stack("s", of: "a"), .setNavigation([]),
      .reports(["stack [a]→[]"], ["└─ stack s  empty*"])),
    .init(
      .reproduced, "the first screen is a new stack and no push", .stack("s", of: ""),
      .push(.named("a")), .reports(["stack []→[a]"])),
    .init(
      .reproduced, "popping two of three", .stack("s", of: "abc"), .pop(count: 2),
      .reports(["stack [a,b,c]→[a]"])),
    .init(
      .reproduced, "popping three of three keeps the first", .stack("s", of: "abc"),
      .pop(count: 3), .reports(["stack [a,b,c]→[a]"])),
    .init(
      .reproduced, "popping to the second of four", .stack("s", of: "abcd"), .popTo("b"),
      .reports(["stack [a,b,c,d]→[a,b]"])),
    .init(
      .reproduced, "popping to the last but one is a pop", .stack("s", of: "abcd"),
      .popTo("c"), .reports(["pop d"])),
    .init(
      .reproduced, "popping to the top is nothing", .stack("s", of: "abcd"), .popTo("d"),
      .nothing),
    .init(
      .reproduced, "popping to the root at the root is nothing", .stack("s", of: "a"),
      .popToRoot, .nothing),
    .init(
      .reproduced, "a person pops", .stack("s", of: "ab"), .pop(), .user, .reports(["pop b"])),
    .init(
      .mended, "popping the only screen was silent", .stack("s", of: "a"), .pop(),
      .error(.nothingToPop(stack: "s"))),
    .init(
      .mended, "pushing where no stack is on top was silent",
      .stack("s", of: "a", presenting: .screen("m")), .push(.named("b")),
      .error(.noStack(window: "main", top: "m"))),
    .init(
      .mended, "popping to an unknown screen was silent", .stack("s", of: "ab"), .popTo("z"),
      .error(.unknownID("z"))),

    // Tabs.
    .init(
      .reproduced, "a tab between two", .tabs(of: "ab"), .insertTab(.screen("c"), at: .index(1)),
      .reports(["insert c 1"])),
    .init(
      .reproduced, "a tab after two", .tabs(of: "ab"), .insertTab(.screen("c"), at: .index(2)),
      .reports(["insert c 2"])),
    .init(
      .mended, "a tab far behind two was silently left out", .tabs(of: "ab"),
      .insertTab(.screen("c"), at: .index(10)),
      .error(.indexOutOfRange(10, count: 2, tabs: "tabs"))),
    .init(
      .mended, "selecting an unknown tab was silent", .tabs(of: "ab"), .selectTab("z"),
      .error(.notATab("z", known: ["a", "b"]))),
    .init(
      .mended, "removing an unknown tab was silent", .tabs(of: "ab"), .removeTab("z"),
      .error(.notATab("z", known: ["a", "b"]))),
    .init(
      .mended, "selecting a place that isn't there was silent", threeTabs, .selectTabAt(10),
      .error(.indexOutOfRange(10, count: 3, tabs: "tabs"))),
    .init(
      .reproduced, "a selected tab that goes selects the first one, then goes",
      .tabs(of: "ab", selected: 1), .setTabs([.screen("a")]),
      .reports(["select a 1→0", "remove b 1"], ["└─ tabs ▸1", "   └─ a*"])),
    .init(
      .reproduced, "removing the selected tab does the same", .tabs(of: "ab", selected: 1),
      .removeTab("b"), .reports(["select a 1→0", "remove b 1"])),
    .init(
      .reproduced, "a first tab that was selected goes without a selection", .tabs(of: "ab"),
      .removeTab("a"), .reports(["remove a 0"])),
    .init(
      .reproduced, "the selected tab stays selected when one comes before it",
      .tabs(of: "ab", selected: 1), .setTabs([.screen("c"), .screen("a"), .screen("b")]),
      .reports(["insert c 0"], ["└─ tabs ▸3", "   ├─ c", "   ├─ a", "   └─ b*"])),
    .init(
      .reproduced, "the selected tab is followed to another place", threeTabs,
      .setTabs([.screen("b"), .screen("a"), .screen("c")]),
      .reports(["tabs [a,b,c]→[b,a,c]"], ["└─ tabs ▸1", "   ├─ b*", "   ├─ a", "   └─ c"])),
    .init(
      .reproduced, "the first tab is followed where the selected one has gone", threeTabs,
      .setTabs([.screen("c"), .screen("a")]),
      .reports(
        ["select a 1→0", "tabs [a,b,c]→[c,a]"], ["└─ tabs ▸2", "   ├─ c", "   └─ a*"])),
    .init(
      .reproduced, "the same tabs are nothing", .tabs(of: "ab"),
      .setTabs([.screen("a"), .screen("b")]), .nothing),
    .init(
      .reproduced, "one tab for another is a new list", .tabs(of: "ab"),
      .setTabs([.screen("a"), .screen("c")]), .reports(["tabs [a,b]→[a,c]"])),
    .init(
      .mended, "the previous index is that before the selection", threeTabs, .selectTabAt(2),
      .reports(["select c 1→2"])),
    .init(
      .reproduced, "the code selects the selected tab", threeTabs, .selectTabAt(1), .nothing),
    .init(
      .reproduced, "a person selects the selected tab", threeTabs, .selectTabAt(1), .user,
      .reports(["select b 1→1"])),
    .init(
      .mended, "tabs where there are none were silent", .screen("a"),
      .insertTab(.screen("b")), .error(.noTabs(window: "main", top: "a"))),
    .init(
      .reproduced, "a new root is reported with the old one", .screen("a"),
      .set(.stack("s", of: "b")), .reports(["set a→s"])),
    .init(
      .reproduced, "a root is taken away", .screen("a"), .set(nil), .reports(["set a→-"])),
  ]

  static let visper: [AncestorCase] = [
    .init(
      .mended, "going back in a presented stack pops before it dismisses", modalStack, .back,
      .reports(["pop y"])),
    .init(
      .reproduced, "going back from the first of a presented stack dismisses it",
      .stack("s", of: "ab", presenting: .stack("m", of: "x")), .back,
      .reports(["dismiss m from b"])),
    .init(
      .mended, "going back with nothing behind never ended", .stack("s", of: "a"), .back,
      .error(.nothingBelow(window: "main"))),
    .init(
      .reproduced, "showing pushes on a stack", .stack("s", of: "a"), .show(.named("b")),
      .reports(["push b"])),
    .init(
      .mended, "showing without a stack failed with the error of pushing", .screen("a"),
      .show(.named("b")), .reports(["present b on a"])),
    .init(
      .reproduced, "a root replaces the stack's screens", .stack("s", of: "ab"),
      .root(.named("c")), .reports(["stack [a,b]→[c]"])),
    .init(
      .reproduced, "replacing the top", .stack("s", of: "ab"), .replace(.named("c")),
      .reports(["stack [a,b]→[a,c]"])),
    .init(
      .mended, "replacing the top of an empty stack crashed", .stack("s", of: ""),
      .replace(.named("c")), .reports(["stack []→[c]"])),
    .init(
      .reproduced, "back onto a screen from a second one", .stack("s", of: "abc"),
      .backTo(.screen(.named("d"))), .reports(["stack [a,b,c]→[a,d]"])),
    .init(
      .reproduced, "back onto a screen from the only one", .stack("s", of: "a"),
      .backTo(.screen(.named("d"))), .reports(["stack [a]→[d]"])),
    .init(
      .reproduced, "back onto a screen from a presented one",
      .stack("s", of: "ab", presenting: .screen("m")), .backTo(.screen(.named("d"))),
      .reports(["dismiss m from b", "stack [a,b]→[a,d]"])),
    .init(
      .mended, "back onto a screen in an empty window never ended", nil,
      .backTo(.screen(.named("d"))), .reports(["set -→d"])),
    .init(
      .reproduced, "back to a screen by its id, through what is presented", modalStack,
      .backTo(.id("a")), .reports(["dismiss m from b", "pop b"], ["└─ stack  a*"])),
  ]

  private static func screens(_ names: String) -> [Screen] {
    names.map { .named(Text(String($0))) }
  }
}
