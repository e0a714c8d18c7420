import MoonCards
import MoonNavigation
import MoonStore
import MoonValues

/// A person's interaction with the screen on top of the key window.
package struct ScreenInteraction {
  private let session: Session

  package init(session: Session) { self.session = session }

  /// Fills in inputs, all of them or none.
  ///
  /// - Throws: ``ScreenError``
  package func fill(_ texts: [(input: String, text: String)]) throws(ScreenError) {
    let (screen, card) = try shownCard()
    var form = session.forms[screen.id]
    for (name, text) in texts {
      let input =
        card.inputs.first { $0.id.string == name } ?? card.inputs.first { $0.name.string == name }
      guard let input else { throw .noInput(name, known: card.inputs.map(\.id.string)) }
      do throws(CardInputError) {
        form.inputs[.string(input.id)] = try card.value(ofInput: input.id, typed: Text(text))
      } catch {
        throw .input(error)
      }
    }
    session.forms[screen.id] = form
  }

  /// Performs the action of a control.
  ///
  /// - Throws: ``ScreenError``
  package func use(_ control: ScreenControl) throws(ScreenError) -> Outcome {
    let (screen, card) = try shownCard()
    let found = try Self.find(control, in: card)
    let outcome: CardOutcome
    do throws(CardInputError) {
      outcome = try card.outcome(of: found, inputs: session.forms[screen.id].inputs)
    } catch {
      throw .input(error)
    }
    let cause = Cause.screen(screen.id.string)
    do throws(DispatchError) {
      switch outcome {
      case .open(let url): return try session.run(.route(url), cause: cause)
      case .execute(let verb, let payload):
        return try session.run(action(verb, payload, of: screen, card), cause: cause)
      case .submit(let verb, let payload):
        return try session.run(action(verb ?? "submit", payload, of: screen, card), cause: cause)
      case .toggleVisibility(let changes):
        session.forms[screen.id].visibility = card.visibility(after: changes)
        return Outcome(id: 0, before: session.stateValue, after: session.stateValue)
      }
    } catch {
      throw .control(used(found, outcome, on: screen), error)
    }
  }

  /// Returns the description of a control whose action failed.
  private func used(
    _ control: CardControl, _ outcome: CardOutcome, on screen: Screen
  ) -> UsedControl {
    let word: Text =
      switch outcome {
      case .open(let url): url
      case .execute(let verb, _): verb
      case .submit(let verb, _): verb ?? control.title
      case .toggleVisibility: control.title
      }
    let view = ScreenPresentation(session: session).view(of: screen)?.part
    return UsedControl(number: control.number, title: control.title, place: view?.place(of: word))
  }

  /// Makes the action for a verb.
  ///
  /// A verb without a slash names an action of the screen's module.
  ///
  /// Inputs that the action doesn't take keep their text for other controls.
  private func action(
    _ verb: Text, _ payload: Value, of screen: Screen, _ card: Card
  ) -> Action {
    let isOwn = !verb.string.utf8.contains(UInt8(ascii: "/"))
    let owner = screen.owner.map { "\($0.module)/" } ?? ""
    let type = isOwn ? Text("\(owner)\(verb)") : verb
    guard let schema = session.modules.listeners(to: type).schema, case .map(var fields) = payload
    else {
      return Action(type, payload)
    }
    for input in card.inputs where !schema.fields.contains(where: { $0.name == input.id.string }) {
      fields[.string(input.id)] = nil
    }
    return Action(type, .map(fields))
  }

  private func shownCard() throws(ScreenError) -> (Screen, Card) {
    guard let shown = ScreenPresentation(session: session).shown() else { throw .noScreen }
    if let failure = shown.failure { throw .notShown(failure) }
    guard let card = shown.card else { throw .noScreen }
    return (shown.screen, card)
  }

  private static func find(
    _ control: ScreenControl, in card: Card
  ) throws(ScreenError) -> CardControl {
    let known = card.controls.map { "\($0.number) \($0.title)" }
    switch control {
    case .number(let number):
      guard let found = card.control(numbered: number) else {
        throw .noControl(String(number), known: known)
      }
      return found
    case .name(let name):
      let found = card.controls(named: Text(name))
      guard let first = found.first else { throw .noControl(name, known: known) }
      guard found.count == 1 else {
        throw .ambiguousControl(name, numbers: found.map(\.number))
      }
      return first
    }
  }
}
