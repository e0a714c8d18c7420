import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues

/// The count of navigations in one dispatch and everything that follows from it.
///
/// It stops a module that answers each change of the tree with another, or that navigates in a
/// circle, before the tree fills memory. Actions that the host itself makes, such as those that
/// remake screens, are never refused.
struct NavigationChain {
  /// The maximum number of navigations of one owner, more than any list of mappers makes.
  static let countMax = NavigationAnswerError.countMax
  /// The maximum number that follow from other navigations: more than any app's detours, and few
  /// enough to run in one step.
  static let followingMax = 64
  /// The number of links that an error shows from the end of the chain.
  ///
  /// Circles are shorter.
  static let shownMax = 12

  /// A navigation and the one that it followed from.
  final class Link {
    let action: Action
    let former: Link?

    init(_ action: Action, after former: Link?) {
      self.action = action
      self.former = former
    }
  }

  /// The navigation that the current action followed from.
  private var origin: Link?
  /// The navigation that newly dispatched actions follow from, unless it is ``unlinked``.
  private var latest: Link?
  /// The navigation that has no link yet, since few dispatch anything.
  private var unlinked: Action?
  /// Whether actions are being carried out that are parts of a `nav/…` action.
  var isWithinAction = false
  private var counts: [ModuleName?: Count] = [:]
  /// Whether there has been no navigation yet.
  private(set) var isIdle = true

  private struct Count {
    var all = 0
    var following = 0
  }

  /// Begins the next action; `link` is the navigation that it followed from, if any.
  mutating func begin(after link: Link?) {
    origin = link
    latest = link
    unlinked = nil
  }

  /// Forgets all navigations.
  mutating func end() {
    begin(after: nil)
    isWithinAction = false
    isIdle = true
    counts = [:]
  }

  /// Returns the navigation that a newly dispatched action follows from; nil if there is none.
  mutating func link() -> Link? {
    if let action = unlinked.take() { latest = Link(action, after: origin) }
    return latest
  }

  /// Counts an action that will navigate, charged to a module or to no module.
  ///
  /// - Throws: ``DispatchError/tooManyNavigations(chain:max:)``.
  mutating func follow(with action: Action, of owner: ModuleName?) throws(DispatchError) {
    isIdle = false
    var count = counts[owner] ?? Count()
    defer { counts[owner] = count }
    count.all += 1
    if action.isOfHost { return }
    if origin != nil { count.following += 1 }
    guard count.all <= Self.countMax else {
      throw .tooManyNavigations(chain: chain(to: action), max: Self.countMax)
    }
    guard count.following <= Self.followingMax else {
      throw .tooManyNavigations(chain: chain(to: action), max: Self.followingMax)
    }
    unlinked = action
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
