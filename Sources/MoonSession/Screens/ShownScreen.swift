public import MoonCards
public import MoonNavigation
public import MoonValues

/// A screen as people see it now.
public struct ShownScreen: Sendable {
  /// The screen.
  public let screen: Screen
  /// Its elements, as its view has just drawn them or as it was made; nil if that failed.
  public let card: Card?
  /// Why there are no elements.
  public let failure: ScreenFailure?
  /// What was typed into it and not handed over yet, by input.
  public let inputs: Map
  /// Whether its view has drawn the elements; else they are the screen's own.
  public let isDrawn: Bool
  /// The parts of the card that have no effect, in reading order, with where they were written.
  public internal(set) var warnings: [ScreenWarning] = []
}

/// A control that a person has used.
public struct UsedControl: Hashable, Sendable {
  /// Its number among those of the screen, from 1.
  public let number: Int
  /// Its title.
  public let title: Text
  /// Where its action was written, as well as is known; nil for a screen without a view.
  public let place: SourcePlace?
}

/// Why a screen can't be shown.
public enum ScreenFailure: Error, Sendable, Equatable {
  /// Its view failed.
  case fault(Fault)
  /// Its module is suspended, and its view with it.
  case suspended(ModuleName)
  /// What should be shown isn't a list of elements; the place is that of the view, or the route.
  case malformed(CardError, at: SourcePlace?)
}

/// Why nothing came of what a person did to a screen.
public enum ScreenError: Error, Sendable, Equatable {
  /// No screen is shown.
  case noScreen
  /// The screen shows nothing that one could do something to.
  case notShown(ScreenFailure)
  /// There is no control with that number or name; what there is.
  case noControl(String, known: [String])
  /// Several controls have that name: their numbers.
  case ambiguousControl(String, numbers: [Int])
  /// There is no input with that name; what there is.
  case noInput(String, known: [String])
  /// What was filled in won't do.
  case input(CardInputError)
  /// What a control stands for failed.
  case control(UsedControl, DispatchError)
  /// There is no session.
  case dispatch(DispatchError)
}

/// Which control of a screen is meant.
public enum ScreenControl: Sendable, Equatable {
  /// By its number, counted from 1.
  case number(Int)
  /// By its id or title.
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

  /// What is wrong, without what exactly.
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
    case .ambiguousControl(let name, _): "several controls are called \(name)"
    case .noInput(let name, _): "the screen has no input \(name)"
    case .input(let error): "\(error)"
    case .control(let control, let error): "[\(control.number)] \(control.title): \(error)"
    case .dispatch(let error): "\(error)"
    }
  }

  /// What stands before the reason for which a screen shows no elements.
  package static let nothingToUse = "the screen shows nothing to use"
}
