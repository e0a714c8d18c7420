import MoonStore
import MoonValues

/// Keeps count of navigation, and of what follows from it.
///
/// A module that answers each change of the tree with another one, or navigates in a circle of its
/// own, would fill the tree before it came to an end by itself. Counted for one dispatch and all
/// that follows from it; what the host does itself, such as making screens again, doesn't count.
struct NavigationPursuit {
  /// How much there may be in all: more than any list of mappers wants.
  static let countMax = WrongNavigation.countMax
  /// How much may follow from other navigation: more than any app's detours, few enough to be done
  /// at once.
  static let followingMax = 64
  /// How much of the end of the chain an error tells: circles are shorter.
  static let toldMax = 12

  /// One navigation, and the one that it followed from.
  final class Step {
    let action: Action
    let former: Step?

    init(_ action: Action, after former: Step?) {
      self.action = action
      self.former = former
    }
  }

  /// What the action that is being worked on has followed from.
  private var origin: Step?
  /// What is noted for actions that are dispatched now.
  private(set) var latest: Step?
  /// The same for actions that wait, by their ids.
  var waiting: [Int64: Step] = [:]
  private var count = 0
  private var followingCount = 0

  /// Whether nothing has navigated yet.
  var isIdle: Bool { count == 0 }

  /// Turns to the next action.
  mutating func begin(_ id: Int64) {
    origin = waiting.removeValue(forKey: id)
    latest = origin
  }

  /// Notes that the action, or what it was turned into, is about to navigate.
  ///
  /// - Throws: ``DispatchError/navigatedTooOften(chain:max:)``.
  mutating func follow(with action: Action) throws(DispatchError) {
    count += 1
    if action.meta.cause == .host { return }
    guard count <= Self.countMax else {
      throw .navigatedTooOften(chain: chain(to: action), max: Self.countMax)
    }
    if origin != nil {
      followingCount += 1
      guard followingCount <= Self.followingMax else {
        throw .navigatedTooOften(chain: chain(to: action), max: Self.followingMax)
      }
    }
    latest = Step(action, after: origin)
  }

  private func chain(to last: Action) -> [String] {
    var told = [Self.text(of: last)]
    var step = origin
    while let one = step, told.count < Self.toldMax {
      told.append(Self.text(of: one.action))
      step = one.former
    }
    return told.reversed()
  }

  private static func text(of action: Action) -> String {
    let url = action.payload["url"]?.stringValue.map { " \($0)" } ?? ""
    return "\(action.type)\(url) (\(action.meta.cause))"
  }
}
