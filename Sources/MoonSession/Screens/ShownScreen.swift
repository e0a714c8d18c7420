public import MoonCards
public import MoonModules
public import MoonNavigation
public import MoonServiceKit
public import MoonValues

/// A screen as people see it.
public struct ShownScreen: Sendable, Equatable {
  /// The screen.
  public let screen: Screen
  /// The elements that its view drew, or else its own; nil if that failed.
  public let card: Card?
  /// The reason that there are no elements.
  public let failure: ScreenFailure?
  /// The text typed and not submitted, by input.
  public let inputs: Map
  /// Whether a view drew the elements; otherwise they are the screen's own.
  package let isDrawn: Bool
  /// The parts of the card that have no effect, in reading order, with the places where they are
  /// written.
  public internal(set) var warnings: [ScreenWarning] = []
  /// The control whose action a module refused; nil once the screen has been used again.
  package internal(set) var refusal: ControlRefusal?

  /// Returns the lines of the card on a terminal, with the reason of a refusal beside its control.
  ///
  /// Dates and times are those of Greenwich, in figures.
  public func lines(width: Int) -> [CardLine] { lines(width: width, dates: \.universal) }

  /// Returns the same with dates and times as `dates` writes them.
  package func lines(
    width: Int, dates: @escaping (CardDate) -> String
  ) -> [CardLine] {
    let notes = refusal.map { [$0.number: Text($0.reason)] } ?? [:]
    return card?.lines(width: width, inputs: inputs, notes: notes, dates: dates) ?? []
  }
}

extension ShownScreen: CustomStringConvertible {
  /// The columns of the screen as text.
  private static let width = 80

  /// The title and the lines of the screen, or the reason that it isn't drawn.
  public var description: String {
    let lines =
      failure.map { ["can't be shown: \($0)"] } ?? lines(width: Self.width).map(\.text)
    return ([screen.title.string] + lines.map { "  \($0)" }).joined(separator: "\n")
  }
}

/// A control that a person has used.
public struct UsedControl: Hashable, Sendable {
  /// The control's number on the screen, counted from 1.
  public let number: Int
  /// The control's title.
  public let title: Text
  /// The place where the control's action is written, or the view's place if that isn't found; nil
  /// for a screen without a view.
  public let place: SourcePlace?
}

/// The reason that a screen can't be shown.
public enum ScreenFailure: Error, Sendable, Equatable {
  /// The screen's view failed.
  case fault(Fault)
  /// The module that draws the screen is suspended.
  case suspended(ModuleName)
  /// The body isn't a list of elements; the place is that of the view or the route.
  case malformed(CardError, at: SourcePlace?)
}

/// The reason that a person's interaction with a screen had no effect.
public enum ScreenError: Error, Sendable, Equatable {
  /// No screen is shown.
  case noScreen
  /// The screen has no elements to interact with.
  case notShown(ScreenFailure)
  /// No control has this number or name; `known` lists the controls.
  case noControl(String, known: [String])
  /// The screen with this id isn't on top any more.
  case covered(String)
  /// The control with this title isn't on the screen any more as it was seen.
  case changed(String)
  /// Several controls have this name; `numbers` are their numbers.
  case ambiguousControl(String, numbers: [Int])
  /// No input has this name; `known` lists the inputs.
  case noInput(String, known: [String])
  /// No list that is drawn in part has this id; `known` lists those that are.
  case noList(String, known: [String])
  /// The text of an input isn't valid. `control` would have submitted it; nil while it is typed.
  case input(CardInputError, for: UsedControl?)
  /// The action of the control failed.
  case control(UsedControl, DispatchError)
  /// The action of the input with this name failed; the place is where it is written.
  case change(Text, at: SourcePlace?, DispatchError)
  /// The text isn't a key, for a reason.
  case malformedKey(String, because: String)
  /// Nothing has this key now; `known` are the keys that do something.
  case noKey(String, known: [String])
  /// The key acts on what has the focus, and nothing has it, or the control with this title, which
  /// has no data.
  case noFocus(String, String?)
  /// The action of the key failed; the place is that of the key.
  case key(String, at: SourcePlace?, DispatchError)
  /// There is no session for the action.
  case dispatch(DispatchError)
}

/// A control of a screen, by number or name.
public enum ScreenControl: Sendable, Equatable {
  /// The control's number, counted from 1.
  case number(Int)
  /// The control's id or title.
  case name(String)
}

extension ScreenFailure: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .fault(let fault): "\(fault)"
    case .suspended(let module): "\(DispatchError.suspended(module))"
    case .malformed(let error, _): "\(headline): \(error)"
    }
  }

  /// The problem, without its details.
  package var headline: String {
    switch self {
    case .fault(let fault): fault.headline
    case .suspended(let module): DispatchError.suspended(module).headline
    case .malformed: "what should be shown isn't a list of elements"
    }
  }
}

extension ScreenError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .noScreen: "no screen is shown"
    case .notShown(let failure): "\(Self.nothingToUse): \(failure)"
    case .noControl(let name, _): "the screen has no control \(name)"
    case .covered(let id): "the screen \(id) isn't on top any more"
    case .changed(let title): "\(title) isn't on the screen any more as it was seen"
    case .ambiguousControl(let name, _): "several controls are called \(name)"
    case .noInput(let name, _): "the screen has no input \(name)"
    case .noList(let id, _): "the screen has no list \(id) that is drawn in part"
    case .input(let error, _): "\(error)"
    case .control(let control, let error): "[\(control.number)] \(control.title): \(error)"
    case .change(let input, _, let error): "\(input): \(error)"
    case .malformedKey(let text, let reason): "'\(text)' is no key: \(reason)"
    case .noKey(let keys, let known):
      known.contains { $0.hasPrefix("\(keys) ") }
        ? "more keys follow \(keys)" : "\(keys) does nothing here"
    case .noFocus(let keys, nil): "\(keys) acts on what has the focus, and nothing has it"
    case .noFocus(let keys, let title?):
      "\(keys) acts on what has the focus, and \(title) has no data for it"
    case .key(let keys, _, let error): "\(keys): \(error)"
    case .dispatch(let error): "\(error)"
    }
  }

  /// The phrase before the reason that a screen has no elements.
  package static let nothingToUse = "the screen shows nothing to use"
}
