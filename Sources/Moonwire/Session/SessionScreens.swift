import MoonCards
import MoonNavigation
import MoonStore
import MoonValues

/// What people see of screens, and what they do to them.
extension Session {
  /// The screen with that id, or on top of the key window, as it looks now; nil if there is none.
  func shownScreen(_ id: Text?) -> ShownScreen? {
    guard let tree = try? navigationTree() else { return nil }
    guard let screen = id.map({ tree.screen($0) }) ?? tree.topScreen else { return nil }
    let form = forms[screen.id] ?? ScreenForm()
    let view = screen.isPlaceholder ? nil : view(of: screen)
    do throws(ScreenFailure) {
      let card = try card(of: screen, view).applying(visibility: form.visibility)
      return ShownScreen(
        screen: screen, card: card, failure: nil, inputs: form.inputs, isDrawn: view != nil)
    } catch {
      return ShownScreen(
        screen: screen, card: nil, failure: error, inputs: form.inputs, isDrawn: view != nil)
    }
  }

  private func view(of screen: Screen) -> Router.Owned<View>? {
    screen.owner.flatMap { modules.registry.router.view(of: $0.module, kind: screen.kind) }
  }

  private func card(
    of screen: Screen, _ view: Router.Owned<View>?
  ) throws(ScreenFailure) -> Card {
    guard let view else {
      if let owner = screen.owner.flatMap({ ModuleName($0.module.string) }),
        modules.suspension.modules.contains(owner),
        modules[owner]?.module.views.contains(where: { $0.kind == screen.kind }) ?? false
      {
        throw .suspended(owner)
      }
      do throws(CardError) {
        return try Card(screen.body, at: Path([.key("body")]))
      } catch {
        throw .malformed(error, at: nil)
      }
    }
    bindings.session = self
    let drawn: Value
    do throws(Fault) {
      drawn = try call(view.part.registration, of: view.owner) { try view.part.body(screen, $0) }
    } catch {
      throw .fault(error)
    }
    do throws(CardError) {
      return try Card(drawn, at: Path([.key("body")]))
    } catch {
      throw .malformed(error, at: view.part.registration.place)
    }
  }

  /// Fills in inputs of the screen on top, all or none.
  func fill(_ texts: [(input: String, text: String)]) throws(ScreenError) {
    let (screen, card) = try shownCard()
    var form = forms[screen.id] ?? ScreenForm()
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
    forms[screen.id] = form
  }

  /// Does what a control of the screen on top stands for.
  func use(_ control: ScreenControl) throws(ScreenError) -> Outcome {
    let (screen, card) = try shownCard()
    let found = try Self.find(control, in: card)
    let outcome: CardOutcome
    do throws(CardInputError) {
      outcome = try card.outcome(of: found, inputs: forms[screen.id]?.inputs ?? Map())
    } catch {
      throw .input(error)
    }
    let cause = Cause.screen(screen.id.string)
    do throws(DispatchError) {
      switch outcome {
      case .open(let url): return try run(.route(url), cause: cause)
      case .execute(let verb, let payload):
        return try run(action(verb, payload, of: screen, card), cause: cause)
      case .submit(let verb, let payload):
        return try run(action(verb ?? "submit", payload, of: screen, card), cause: cause)
      case .toggleVisibility(let changes):
        forms[screen.id, default: ScreenForm()].visibility = card.visibility(after: changes)
        return Outcome(id: 0, before: stateValue, after: stateValue)
      }
    } catch {
      throw .dispatch(error)
    }
  }

  /// A verb without a slash is an action of the screen's module.
  ///
  /// Inputs that the action doesn't take stay where they are: they are for other controls.
  private func action(
    _ verb: Text, _ payload: Value, of screen: Screen, _ card: Card
  ) -> Action {
    let isOwn = !verb.string.utf8.contains(UInt8(ascii: "/"))
    let owner = screen.owner.map { "\($0.module)/" } ?? ""
    let type = isOwn ? Text("\(owner)\(verb)") : verb
    guard let schema = modules.route(for: type).schema, case .map(var fields) = payload else {
      return Action(type, payload)
    }
    for input in card.inputs where !schema.fields.contains(where: { $0.name == input.id.string }) {
      fields[.string(input.id)] = nil
    }
    return Action(type, .map(fields))
  }

  private func shownCard() throws(ScreenError) -> (Screen, Card) {
    guard let shown = shownScreen(nil) else { throw .noScreen }
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
