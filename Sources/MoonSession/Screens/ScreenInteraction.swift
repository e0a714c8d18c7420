import MoonActions
import MoonCards
package import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

/// A person's interaction with the screen on top of the key window.
package struct ScreenInteraction {
  let session: Session
  private let seen: SeenScreen

  package init(session: Session, seen: SeenScreen = SeenScreen()) {
    (self.session, self.seen) = (session, seen)
  }

  /// Fills in inputs, all of them or none, and then runs the actions of those that have changed.
  ///
  /// An input whose action fails holds what it held before.
  ///
  /// - Throws: ``ScreenError``
  package func fill(
    _ texts: [(input: String, text: String)]
  ) throws(ScreenError) -> [Outcome] {
    let (screen, card) = try shownCard()
    forgetRefusal(on: screen)
    var form = session.screens.forms[screen.id]
    var changed: [CardInput] = []
    for (name, text) in texts {
      let input =
        card.inputs.first { $0.id.string == name } ?? card.inputs.first { $0.name.string == name }
      guard let input else { throw .noInput(name, known: card.inputs.map(\.id.string)) }
      do throws(CardInputError) {
        let value = try card.value(ofInput: input.id, typed: Text(text))
        if input.change != nil, value != input.value(in: form.inputs) { changed.append(input) }
        form.inputs[.string(input.id)] = value
      } catch {
        throw .input(error, for: nil)
      }
    }
    let before = session.screens.forms[screen.id].inputs
    session.screens.forms[screen.id] = form
    var outcomes: [Outcome] = []
    // What one input does may lead away from the screen.
    for input in changed where session.navigationTree.screen(screen.id) != nil {
      if let outcome = try change(input, of: screen, card, before: before) {
        outcomes.append(outcome)
      }
    }
    return outcomes
  }

  /// Runs the action of an input that has been filled in.
  private func change(
    _ input: CardInput, of screen: Screen, _ card: Card, before: Map
  ) throws(ScreenError) -> Outcome? {
    let value = input.value(in: session.screens.forms[screen.id].inputs)
    switch card.outcome(ofChanging: input, to: value) {
    case .execute(let verb, let payload)?, .submit(let verb?, let payload)?:
      do throws(DispatchError) {
        return try submit(
          action(verb, payload, of: screen), of: screen, card, takesInputs: false,
          madeBy: input.change?.maker)
      } catch {
        if session.navigationTree.screen(screen.id) != nil {
          session.screens.forms[screen.id].inputs[.string(input.id)] = before[.string(input.id)]
        }
        let view = ScreenPresentation(session: session).view(of: screen)?.part
        throw .change(input.name, at: view?.place(of: verb), error)
      }
    case .open, .submit, .toggleVisibility, nil: return nil
    }
  }

  /// Brings a row of a list into sight, counted from 1; the nearest one if there is none.
  ///
  /// - Throws: ``ScreenError``
  package func scroll(list id: String, to row: Int) throws(ScreenError) {
    let (screen, card) = try shownCard()
    guard let list = card.lists.first(where: { $0.id.string == id }) else {
      throw .noList(id, known: card.lists.map(\.id.string))
    }
    let row = min(max(1, row), list.rowCount)
    session.screens.forms[screen.id].firstRows[list.id] = row - 1
  }

  /// Performs the action of a control.
  ///
  /// - Throws: ``ScreenError``
  package func use(_ control: ScreenControl) throws(ScreenError) -> Outcome {
    let (screen, card) = try shownCard()
    let found = try find(control, in: card)
    forgetRefusal(on: screen)
    let outcome: CardOutcome
    do throws(CardInputError) {
      outcome = try card.outcome(of: found, inputs: session.screens.forms[screen.id].inputs)
    } catch {
      throw .input(error, for: used(found, found.title, on: screen))
    }
    let cause = Cause.screen(screen.id.string)
    do throws(DispatchError) {
      switch outcome {
      case .open(let url):
        return try session.run(
          .route(url), cause: cause, from: makers(on: screen, besides: found.maker))
      case .execute(let verb, let payload):
        return try submit(
          action(verb, payload, of: screen), of: screen, card, takesInputs: found.takesInputs,
          madeBy: found.maker)
      case .submit(let verb, let payload):
        return try submit(
          action(verb ?? "submit", payload, of: screen), of: screen, card,
          takesInputs: found.takesInputs, madeBy: found.maker)
      case .toggleVisibility(let changes):
        session.screens.forms[screen.id].visibility = card.visibility(after: changes)
        return Outcome(unchanged: session.state)
      }
    } catch {
      note(error.refusal, of: found, on: screen)
      throw .control(used(found, outcome.word ?? found.title, on: screen), error)
    }
  }

  func forgetRefusal(on screen: Screen) {
    if session.screens.forms[screen.id].refusal != nil {
      session.screens.forms[screen.id].refusal = nil
    }
  }

  /// Lets the screen show a refusal beside its control.
  private func note(_ refusal: Refusal?, of control: CardControl, on screen: Screen) {
    guard let refusal, session.navigationTree.screen(screen.id) != nil else { return }
    session.screens.forms[screen.id].refusal = (
      control.title, ControlRefusal(number: control.number, reason: refusal.reason)
    )
  }

  /// Returns the description of a control that had no effect; `word` is in the script where the
  /// control is.
  private func used(_ control: CardControl, _ word: Text, on screen: Screen) -> UsedControl {
    let view = ScreenPresentation(session: session).view(of: screen)?.part
    return UsedControl(number: control.number, title: control.title, place: view?.place(of: word))
  }

  /// Makes the action for a verb.
  ///
  /// A verb without a slash names an action of the screen's module.
  private func action(_ verb: Text, _ payload: Value, of screen: Screen) -> Action {
    let isOwn = !verb.string.utf8.contains(UInt8(ascii: "/"))
    let owner = screen.owner.map { "\($0.module)/" } ?? ""
    return Action(isOwn ? Text("\(owner)\(verb)") : verb, payload)
  }

  /// Runs the action of a control or key of the screen, and clears the inputs that it took.
  ///
  /// Inputs that the action doesn't take keep their text for other controls. The others are cleared
  /// before the action runs, so that values that modules set meanwhile are kept, and they are
  /// restored if the action fails.
  func submit(
    _ action: Action, of screen: Screen, _ card: Card, takesInputs: Bool,
    madeBy maker: Text? = nil
  ) throws(DispatchError) -> Outcome {
    var action = action
    // What a person uses is the module's choice: its words needn't say what its control does.
    let makers = makers(on: screen, besides: maker)
    for maker in makers.sorted() {
      try session.modules.checkControl(of: action, by: maker)
      action = GivenScreens.owned(action, by: maker, in: session)
    }
    let taken = inputs(takenBy: &action, card)
    let before = session.screens.forms[screen.id].inputs
    if takesInputs {
      for input in taken where !input.isKept {
        session.screens.forms[screen.id].inputs[.string(input.id)] = nil
      }
    }
    do throws(DispatchError) {
      return try session.run(action, cause: .screen(screen.id.string), from: makers)
    } catch {
      if session.navigationTree.screen(screen.id) != nil {
        session.screens.forms[screen.id].inputs = before
      }
      throw error
    }
  }

  /// Returns the modules that have put a control on a screen: those that made and draw the screen,
  /// and the one that has added the control.
  private func makers(on screen: Screen, besides maker: Text?) -> Set<ModuleName> {
    let view = ScreenPresentation(session: session).view(of: screen)
    let named = [screen.owner?.module, maker].map { $0.flatMap { ModuleName($0.string) } }
    return Set((named + [view?.owner]).compactMap(\.self))
  }

  /// Returns the inputs that an action takes, and removes the others from its payload.
  private func inputs(takenBy action: inout Action, _ card: Card) -> [CardInput] {
    guard let schema = session.modules.listeners(to: action.type).schema,
      case .map(var fields) = action.payload
    else { return card.inputs }
    let names = Set(schema.fields.map { Text($0.name) })
    for input in card.inputs where !names.contains(input.id) { fields[.string(input.id)] = nil }
    action.payload = .map(fields)
    return card.inputs.filter { names.contains($0.id) }
  }

  func shownCard() throws(ScreenError) -> (Screen, Card) {
    let shown = ScreenPresentation(session: session).shown()
    try seen.check(shown?.screen)
    guard let shown else { throw .noScreen }
    if let failure = shown.failure { throw .notShown(failure) }
    guard let card = shown.card else { throw .noScreen }
    return (shown.screen, card)
  }

  private func find(
    _ control: ScreenControl, in card: Card
  ) throws(ScreenError) -> CardControl {
    switch control {
    case .number(let number): return try seen.control(numbered: number, in: card)
    case .name(let name):
      let found = card.controls(named: Text(name))
      guard let first = found.first else {
        throw .noControl(name, known: card.controls.map { "\($0.number) \($0.title)" })
      }
      guard found.count == 1 else {
        throw .ambiguousControl(name, numbers: found.map(\.number))
      }
      return first
    }
  }
}

extension CardOutcome {
  /// The word that a script writes for the outcome; nil if there is none.
  fileprivate var word: Text? {
    switch self {
    case .open(let url): url
    case .execute(let verb, _): verb
    case .submit(let verb, _): verb
    case .toggleVisibility: nil
    }
  }
}
