package import MoonValues

extension Card {
  /// Returns the control with a number; nil if there is none.
  ///
  /// - Complexity: O(log of the number of controls).
  package func control(numbered number: Int) -> CardControl? {
    var range = controls.startIndex..<controls.endIndex
    while let first = range.first {
      let middle = first + range.count / 2
      let found = controls[middle].number
      if found == number { return controls[middle] }
      range = found < number ? middle + 1..<range.upperBound : first..<middle
    }
    return nil
  }

  /// Returns the controls that match a name: the one with that id, else those with that title, else
  /// those with that title regardless of case.
  package func controls(named name: Text) -> [CardControl] {
    if let control = controls.first(where: { $0.id == name }) { return [control] }
    let titled = controls.filter { $0.title == name }
    guard titled.isEmpty else { return titled }
    let lowercased = name.string.lowercased()
    return controls.filter { $0.title.string.lowercased() == lowercased }
  }

  /// Returns the controls of the menu that a control opens.
  package func controls(inMenuOf opener: CardControl) -> [CardControl] {
    guard case .opens(let menu) = opener.action.menu else { return [] }
    return controls.filter { $0.action.menu == .isIn(menu) }
  }

  /// Returns the effect of using one of the card's ``controls``.
  ///
  /// A payload has the action's data (under the key `data` if it isn't a map) and the value of
  /// every visible input, which overrides data with its name. Empty inputs are left out; a toggle
  /// that is off isn't empty.
  ///
  /// - Parameters:
  ///   - control: One of the card's, as it is now.
  ///   - inputs: The values by input id. Null empties an input, unknown ids have no effect, and an
  ///     input without a value has its initial one.
  /// - Returns: What the host has to do.
  /// - Throws: ``CardInputError`` for the first input in reading order with an invalid value, if
  ///   the control submits inputs.
  package func outcome(
    of control: CardControl, inputs: Map = Map()
  ) throws(CardInputError) -> CardOutcome {
    switch control.action.kind {
    case .open(let url): .open(url: url)
    case .execute(let verb, let submission):
      .execute(verb: verb, payload: try payload(submission, inputs, by: control.maker))
    case .submit(let verb, let submission):
      .submit(verb: verb, payload: try payload(submission, inputs, by: control.maker))
    case .toggleVisibility(let changes): .toggleVisibility(changes)
    case .showCard(let id, let all):
      .toggleVisibility(
        all.filter { $0 != id }.map { CardVisibilityChange(id: $0, isVisible: false) }
          + [CardVisibilityChange(id: id, isVisible: nil)])
    // No control is made from one.
    case .unavailable: .toggleVisibility([])
    }
  }

  /// Returns what follows from a person's change of an input, which holds a value now; nil if the
  /// card names no action for it.
  ///
  /// The payload has the action's data and the value. An emptied text is sent as an empty one;
  /// other inputs that were emptied are left out.
  package func outcome(ofChanging input: CardInput, to value: Value) -> CardOutcome? {
    guard let change = input.change else { return nil }
    func payload(_ submission: Action.Submission) -> Value {
      let isText = if case .text = input.kind { true } else { false }
      var payload = submission.data
      let sent = value == .null && isText ? "" : value
      payload[.string(input.id)] = sent == .null ? Value?.none : sent
      return .map(payload)
    }
    switch change.action.kind {
    case .execute(let verb, let submission):
      return .execute(verb: verb, payload: payload(submission))
    case .submit(let verb, let submission): return .submit(verb: verb, payload: payload(submission))
    // No input has another action.
    case .open, .toggleVisibility, .showCard, .unavailable: return nil
    }
  }

  /// Returns the value of a text typed into an input; null empties it.
  ///
  /// Numbers are decimal; on and off are `yes`, `no` and the like, or the input's own values; a
  /// choice is its value or title, and several choices are separated by commas.
  ///
  /// - Throws: ``CardInputError`` if the input isn't visible or takes no such value. A required
  ///   input may be emptied; ``outcome(of:inputs:)`` checks that.
  package func value(ofInput id: Text, typed text: Text) throws(CardInputError) -> Value {
    guard let input = inputs.first(where: { $0.id == id }) else {
      throw CardInputError(input: id, name: id, reason: .unknownInput, message: nil)
    }
    do throws(InputRules.Broken) {
      let value = try InputRules.value(of: text.string, for: input.kind)
      return value == .null ? .null : try InputRules.checked(value, for: input)
    } catch {
      switch error {
      case .rule(let reason): throw input.error(reason)
      }
    }
  }

  /// Returns a value of an input as it appears in a payload; null or an empty text empties the
  /// input.
  ///
  /// - Throws: ``CardInputError`` if the input isn't visible or takes no such value.
  package func value(ofInput id: Text, from value: Value) throws(CardInputError) -> Value {
    guard let input = inputs.first(where: { $0.id == id }) else {
      throw CardInputError(input: id, name: id, reason: .unknownInput, message: nil)
    }
    do throws(InputRules.Broken) {
      return value == .null || value == "" ? .null : try InputRules.checked(value, for: input)
    } catch {
      switch error {
      case .rule(let reason): throw input.error(reason)
      }
    }
  }

  /// Returns the visibility after changes.
  ///
  /// Changes apply one after the other to the current visibility. Unknown ids are left out.
  package func visibility(after changes: [CardVisibilityChange]) -> [Text: Bool] {
    var visibility = visibility
    let original = originalVisibility
    for change in changes {
      guard let isVisible = original[change.id] else { continue }
      visibility[change.id] = change.isVisible ?? !(visibility[change.id] ?? isVisible)
    }
    return visibility
  }

  private func payload(
    _ submission: Action.Submission, _ values: Map, by maker: Text?
  ) throws(CardInputError) -> Value {
    submission.takesInputs
      ? try payload(submitting: submission.data, inputs: values, by: maker) : .map(submission.data)
  }

  /// Returns the payload of an action that submits the inputs with its data, as a control does; see
  /// ``outcome(of:inputs:)``.
  ///
  /// `maker` is the module that has put the control on the screen, if it doesn't draw the screen.
  /// The inputs of another module don't change the data, and what is typed in secret is only for
  /// the module that asks for it, and for the one that draws the screen.
  ///
  /// - Throws: ``CardInputError``
  package func payload(
    submitting data: Map, inputs values: Map, by maker: Text? = nil
  ) throws(CardInputError) -> Value {
    var entries = data.map { ($0.key, $0.value) }
    for input in inputs {
      let isOthers = input.maker != maker
      if isOthers, data[.string(input.id)] != nil || input.isSecret && maker != nil { continue }
      if let value = try input.payloadValue(values) { entries.append((.string(input.id), value)) }
    }
    return .map(Map(entries))
  }
}

extension CardInput {
  /// Returns the value filled in, or else the initial one; null if there is none.
  package func value(in filled: Map) -> Value { currentValue(filled) ?? .null }

  /// Returns the value filled in, or else the initial one; nil if there is none.
  func currentValue(_ values: Map) -> Value? {
    guard let value = values[.string(id)] ?? initialValue else { return Value?.none }
    return value == .null || value == "" ? Value?.none : value
  }

  fileprivate func payloadValue(_ values: Map) throws(CardInputError) -> Value? {
    do throws(InputRules.Broken) {
      let value = try currentValue(values).map { value throws(InputRules.Broken) in
        try InputRules.checked(value, for: self)
      }
      if isRequired, value.map(isNothing) ?? true { throw InputRules.Broken.rule(.missing) }
      return value
    } catch {
      switch error {
      case .rule(let reason): throw self.error(reason)
      }
    }
  }

  /// Returns whether the value is that of an untouched input: switched off, or nothing chosen.
  private func isNothing(_ value: Value) -> Bool {
    switch kind {
    case .toggle(_, _, let off): value == off
    case .choice: value == []
    case .text, .number, .date, .time: false
    }
  }

  fileprivate func error(_ reason: CardInputError.Reason) -> CardInputError {
    CardInputError(input: id, name: name, reason: reason, message: errorMessage)
  }
}
