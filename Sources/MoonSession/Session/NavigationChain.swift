import MoonStore
import MoonValues

/// Counts navigations, and how many of them followed from one another.
///
/// A module that answers each change of the tree with another one, or navigates in a circle of its
/// own, would fill the tree before it came to an end by itself. The count covers one dispatch and
/// all that follows from it. What the host does itself doesn't count, such as making screens again.
struct NavigationChain {
  /// How many navigations there may be in all: more than any list of mappers makes.
  static let countMax = WrongNavigation.countMax
  /// How many may follow from others: more than any app's detours, and few enough to be done at
  /// once.
  static let followingMax = 64
  /// How many links an error shows from the end of the chain: circles are shorter.
  static let shownMax = 12

  /// One navigation, and the one that it followed from.
  final class Link {
    let action: Action
    let former: Link?

    init(_ action: Action, after former: Link?) {
      self.action = action
      self.former = former
    }
  }

  /// What the action that is being worked on has followed from.
  private var origin: Link?
  /// What actions that are dispatched now follow from.
  private(set) var latest: Link?
  private var counts: [ModuleName?: (all: Int, following: Int)] = [:]

  /// Whether nothing has navigated yet.
  var isIdle: Bool { counts.isEmpty }

  /// Turns to the next action, which followed from a navigation, or nil.
  mutating func begin(after link: Link?) {
    origin = link
    latest = link
  }

  /// Notes that an action is about to navigate, on the account of a module, or nil.
  ///
  /// - Throws: ``DispatchError/navigatedTooOften(chain:max:)``.
  mutating func follow(with action: Action, of owner: ModuleName?) throws(DispatchError) {
    counts[owner, default: (0, 0)].all += 1
    if action.meta.cause == .host { return }
    if origin != nil { counts[owner, default: (0, 0)].following += 1 }
    let count = counts[owner] ?? (0, 0)
    guard count.all <= Self.countMax else {
      throw .navigatedTooOften(chain: chain(to: action), max: Self.countMax)
    }
    guard count.following <= Self.followingMax else {
      throw .navigatedTooOften(chain: chain(to: action), max: Self.followingMax)
    }
    latest = Link(action, after: origin)
  }

  private func chain(to last: Action) -> [String] {
    var shown = [Self.text(of: last)]
    var link = origin
    while let one = link, shown.count < Self.shownMax {
      shown.append(Self.text(of: one.action))
      link = one.former
    }
    return shown.reversed()
  }

  private static func text(of action: Action) -> String {
    let url = action.payload["url"]?.stringValue.map { " \($0)" } ?? ""
    return "\(action.type)\(url) (\(action.meta.cause))"
  }
}
