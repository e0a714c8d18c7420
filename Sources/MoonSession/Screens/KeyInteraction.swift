package import MoonActions
import MoonCards
package import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

/// A person's use of the keys that do something in a session now.
package struct KeyInteraction {
  private let session: Session
  private let screen: Screen?
  private let seen: SeenScreen
  /// The keys that do something now, in their order.
  package let entries: [KeyTable.Entry]

  /// Finds the keys for what is shown in a session; `personal` are those that the person has set.
  package init(
    session: Session, personal: [KeyBinding], seen: SeenScreen = SeenScreen()
  ) {
    (self.session, self.seen) = (session, seen)
    screen = (try? session.readNavigation())?.topScreen
    let suspended = session.modules.suspension.modules
    let active = session.modules.sorted.filter { !suspended.contains($0.module.name) }
    entries = KeyTable(active, personal: personal).entries(on: screen)
  }

  /// Does what keys do: the action of their module, or of the person.
  ///
  /// `focused` is the number of the control that has the focus; nil if none has. A key of a
  /// screen's own module sends the inputs of the screen, as its buttons do.
  ///
  /// - Throws: ``ScreenError``
  package func press(_ text: String, on focused: Int?, cause: Cause) throws(ScreenError) -> Outcome
  {
    try seen.check(screen)
    let keys: KeySequence
    do throws(KeyError) {
      keys = try KeySequence(parsing: text)
    } catch {
      throw .malformedKey(text, because: "\(error)")
    }
    guard let entry = entries.first(where: { $0.binding.keys == keys }),
      let target = entry.binding.target
    else { throw .noKey("\(keys)", known: entries.map { "\($0.binding.keys)" }) }
    switch target {
    case .control(let name, _):
      return try ScreenInteraction(session: session).use(.name(name.string))
    case .action(let action): return try press(action, of: entry, on: focused, cause)
    }
  }

  private func press(
    _ target: KeyAction, of entry: KeyTable.Entry, on focused: Int?, _ cause: Cause
  ) throws(ScreenError) -> Outcome {
    let action = target.takesFocus ? try focus(focused, for: target, entry) : target.action
    if entry.binding.screens != nil, target.takesInputs, let screen,
      screen.owner?.module.string == entry.owner?.text
    {
      return try submit(action, entry.binding)
    }
    let cause = screen.map { Cause.screen($0.id.string) } ?? cause
    return try performing(entry.binding) { () throws(DispatchError) in
      var action = action
      if let owner = entry.owner {
        try session.modules.checkControl(of: action, by: owner)
        action = GivenScreens.owned(action, by: owner, in: session)
      }
      return try session.run(action, cause: cause, from: entry.owner.map { [$0] } ?? [])
    }
  }

  /// Returns the action with the data of the control that has the focus.
  ///
  /// As of inputs, only what the action declares is sent.
  private func focus(
    _ number: Int?, for target: KeyAction, _ entry: KeyTable.Entry
  ) throws(ScreenError) -> Action {
    let (_, card) = try ScreenInteraction(session: session).shownCard()
    let keys = "\(entry.binding.keys)"
    guard let number else { throw .noFocus(keys, nil) }
    let control = try seen.control(numbered: number, in: card)
    // What another module has put on the screen isn't the owner's to act on.
    guard control.maker == nil, let data = control.data else {
      throw .noFocus(keys, control.title.string)
    }
    guard target.url == nil, let schema = session.modules.listeners(to: target.action.type).schema
    else { return target.action(with: data) }
    let names = schema.fields.map { Key.string(Text($0.name)) }
    return target.action(with: Map(names.compactMap { name in data[name].map { (name, $0) } }))
  }

  /// Runs an action with the inputs of the screen.
  private func submit(_ action: Action, _ binding: KeyBinding) throws(ScreenError) -> Outcome {
    let use = ScreenInteraction(session: session)
    let (screen, card) = try use.shownCard()
    use.forgetRefusal(on: screen)
    var action = action
    let data = action.payload == .null ? Map() : action.payload.mapValue ?? ["data": action.payload]
    do throws(CardInputError) {
      action.payload = try card.payload(
        submitting: data, inputs: session.screens.forms[screen.id].inputs)
    } catch {
      throw .input(error, for: nil)
    }
    return try performing(binding) { [action] () throws(DispatchError) in
      try use.submit(action, of: screen, card, takesInputs: true)
    }
  }

  private func performing(
    _ binding: KeyBinding, _ body: () throws(DispatchError) -> Outcome
  ) throws(ScreenError) -> Outcome {
    do throws(DispatchError) {
      return try body()
    } catch {
      throw .key("\(binding.keys)", at: binding.registration.place, error)
    }
  }
}
