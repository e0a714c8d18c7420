public import MoonServiceKit
public import MoonValues

/// A value that a module sets for an input.
package struct InputRequest {
  /// The maximum number of requests that wait until their screens are drawn.
  package static let countMax = 1_000

  /// The value; nil resets the input to its initial value.
  package let value: Value?
  /// The registration that set it.
  package let registration: BoundRegistration

  /// Makes a request of a registration.
  package init(value: Value?, registration: BoundRegistration) {
    self.value = value
    self.registration = registration
  }
}

/// The reason that a module can't set an input.
public enum InputRequestError: Error, Sendable, Equatable {
  /// A view tried it; views only read.
  case readOnlyView
  /// The module has no screen in the navigation.
  case noScreen(of: ModuleName)
  /// No screen has the id; `known` are the module's screens.
  case unknownScreen(Text, known: [Text])
  /// The screen belongs to another module, or to none.
  case otherModules(Text, owner: Text?)
  /// No input accepts values of this kind.
  case unfit(kind: String)
  /// The value is too large for an input.
  case tooLarge(bytesMax: Int)
  /// Too many values wait for screens that aren't drawn.
  case tooMany(max: Int)
}

extension InputRequestError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .readOnlyView: "a view only shows: it can't fill in inputs"
    case .noScreen(let module): "module \(module) has no screen in the navigation"
    case .unknownScreen(let id, let known):
      "there is no screen '\(id)'"
        + (known.isEmpty ? "" : "; the module has \(Wording.list(known.map(\.string)))")
    case .otherModules(let id, let owner):
      "the screen '\(id)' belongs to "
        + (owner.map { "module \($0)" } ?? "no module") + ": its own module fills in its inputs"
    case .unfit(let kind):
      "an input holds a text, a number, a boolean or a list of these, not \(kind)"
    case .tooLarge(let max): "an input holds \(Wording.size(max)) at most"
    case .tooMany(let max): "\(max) inputs of screens that aren't shown wait for their values"
    }
  }
}
