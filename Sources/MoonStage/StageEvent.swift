import MoonLink
package import Moonwire

/// A key that a person presses.
package enum StageKey: Hashable, Sendable {
  case character(Character)
  /// A letter with Ctrl.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  /// Left and Right with Ctrl.
  case wordLeft, wordRight
  case function(Int)
  /// An arrow, Home or End with Shift.
  case selecting(Direction)
  /// A key that means nothing here.
  case other

  /// Where the cursor goes.
  package enum Direction: Sendable { case left, right, up, down, home, end }
}

/// Something that a stage is told.
package enum StageEvent: Sendable {
  case key(StageKey)
  /// Text that was pasted.
  case paste(String)
  /// The mouse's button was pressed.
  case press(row: Int, column: Int)
  /// The mouse's wheel was turned, by a number of rows.
  case wheel(Int)
  case resize(columns: Int, rows: Int)
  /// A notification of the host.
  case told(method: String, Value)
  /// The answer to a call.
  case answered(StageCall, Result<Value, StageRefusal>)
  /// The host has printed text.
  case printed(String)
  /// A call of the host takes longer than a moment.
  case waits
  /// A call was to be made later, and it is time.
  case due(StageCall)
  /// The connection has ended, or is there again.
  case lost, back

  /// Whether a person has done something.
  var isFromPerson: Bool {
    switch self {
    case .key, .paste, .press, .wheel, .resize: true
    case .told, .answered, .printed, .waits, .due, .lost, .back: false
    }
  }
}

/// The reason that a host has not done something.
package struct StageRefusal: Error, Sendable, Equatable {
  package let message: String
  /// The report, as `--json` prints it.
  package let data: Value?

  package init(_ message: String, data: Value? = nil) {
    (self.message, self.data) = (message, data)
  }
}

/// A call of a method of the host.
package struct StageCall: Sendable, Equatable {
  /// What its answer is for.
  enum Purpose: Sendable, Equatable {
    case subscribe, state, describe, problems, tasks, keys
    /// Filling in the input with an id.
    case fill(Text)
    /// What a person has done to the app.
    case act
    /// What the app does where the focus is.
    case focus
    /// Bringing other rows of a list into sight.
    case scroll
    /// Waiting until what was done before is shown.
    case settle
    case prompt
    case complete
    case palette(PaletteSource)
    /// What a form has sent.
    case form
    case ignore
  }

  let purpose: Purpose
  package let method: String
  package let parameters: Map

  init(_ purpose: Purpose, _ method: String, _ parameters: Map = Map()) {
    (self.purpose, self.method, self.parameters) = (purpose, method, parameters)
  }

  package static func == (left: StageCall, right: StageCall) -> Bool {
    left.purpose == right.purpose && left.method == right.method
      && Value.map(left.parameters) == Value.map(right.parameters)
  }
}

/// The lists that the palette shows.
enum PaletteSource: Sendable, Equatable { case actions, routes }

/// Something that a stage wants done.
package enum StageEffect: Sendable, Equatable {
  case call(StageCall)
  /// A call to be made in a second.
  case later(StageCall)
  /// Ends what the host does for this stage.
  case cancelCalls
  /// Stops the program as Ctrl-Z does elsewhere.
  case stopForAWhile
  case repaint
  case beep
  case leave
}
