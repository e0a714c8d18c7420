import CMoonLua
package import MoonValues

/// The calls that change a value through drafts.
extension Machine {
  /// Calls a reducer with a draft of `slice` and returns the new slice.
  ///
  /// The function receives the draft, the payload and, if it has a third parameter, the action. A
  /// payload that is a list or a map is a draft as well, whose changes are lost; null, which an
  /// action without a payload has, is an empty table. The new slice is the function's result, or
  /// the draft if it returns nothing. `refusal` returns why a returned table can't be the slice, or
  /// nil. `name` is the name of the slice in errors, if it isn't that of the machine.
  ///
  /// - Throws: ``LuaError``. Nothing has changed then.
  /// - Complexity: O(parts of the payload that the new slice holds), besides the function's work.
  package func reduce(
    _ function: LuaFunction, slice: Value, name: String? = nil, payload: Value,
    action: () -> Value, refusal: (Value) -> String? = { _ in nil }, limits: CallLimits
  ) throws(LuaError) -> Value {
    try checkIdle()
    defer { retireDrafts() }
    let root = name.map { drafts.addDraft(slice, name: $0) } ?? drafts.addSlice(slice)
    let place = name == nil ? place : nil
    var items = (moon_item(draft: root), moon_item())
    if !function.takes(3), items.1.setArgument(payload, in: &drafts) {
      var call = limits.call(place: place)
      let status = withUnsafeBytes(of: &items) {
        moon_vm_call_items(
          vm, &call, function.reference, $0.assumingMemoryBound(to: moon_item.self).baseAddress,
          2, &results)
      }
      try check(status, limits, function: function)
    } else {
      arguments.clear()
      arguments.writeDraft(root)
      if let argument = drafts.addArgument(payload) {
        arguments.writeDraft(argument)
      } else {
        arguments.write(payload)
      }
      if function.takes(3) { arguments.write(action()) }
      try callWithArguments(function, limits, place: place)
    }
    do throws(Refusal) {
      let made = try reduced(root, of: slice, name, refusal)
      if drafts.sharesArguments { try checkNumbers(of: made, since: slice, name) }
      return made
    } catch {
      throw .runtime(LuaReport(message: error.text, place: function.place))
    }
  }

  /// Returns the slice that a reducer has made: its result, or its draft.
  private func reduced(
    _ root: UInt32, of slice: Value, _ name: String?, _ refusal: (Value) -> String?
  ) throws(Refusal) -> Value {
    if results.length == 0 { return try drafts.committed(root, of: slice) }
    var reader = WireReader(results, of: self)
    var value: Value?
    if let draft = reader.takeDraft() {
      guard drafts.isArgument(draft) else { return try drafts.committed(draft, of: slice) }
      value = drafts.folded(draft)
    } else {
      value = reader.takeValue()
    }
    if let reason = value.flatMap(Extent.refusal) {
      throw .refused("\(name ?? self.name): \(reason)")
    }
    switch value {
    case nil: return try drafts.committed(root, of: slice)
    case let made? where made.isContainer:
      if let refusal = refusal(made) { throw .refused(refusal) }
      return made
    default:
      throw .refused("a reducer returns nothing, or the new state as a table")
    }
  }

  /// Checks the parts of a payload that a slice holds.
  ///
  /// A program in Swift made the payload, which may hold what no script can store.
  private func checkNumbers(
    of made: Value, since slice: Value, _ name: String?
  ) throws(Refusal) {
    let place = Path.Component.key(Text(name ?? self.name))
    for change in Diff.changes(from: slice, to: made, limit: .max).changes {
      if let path = change.after?.pathToNaN(Path([place] + change.path.components)) {
        throw .refused("\(path): a number that is not a number (0/0) can't be kept in the state")
      }
    }
  }

  /// The results of a function that edits a draft.
  package struct Edit {
    /// The value that the function returned; nil for nothing.
    package let answer: Value?
    /// The contents of the draft; identical to the original value if the function changed nothing.
    package let draft: Value
  }

  /// Calls a function with a draft of `value`; `name` is the name of the value in errors.
  ///
  /// - Throws: ``LuaError``. Nothing has changed then.
  package func edit(
    _ function: LuaFunction, _ value: Value, name: String, _ passed: [Argument],
    limits: CallLimits
  ) throws(LuaError) -> Edit {
    try checkIdle()
    defer { retireDrafts() }
    let root = drafts.addDraft(value, name: name)
    arguments.clear()
    arguments.writeDraft(root)
    for argument in passed { write(argument) }
    try callWithArguments(function, limits)
    do throws(Refusal) {
      // Read first, since a committed draft can't be read.
      var answer: Value?
      if results.length > 0 {
        var reader = WireReader(results, of: self)
        answer = reader.takeDraft().map { drafts.folded($0) } ?? reader.takeValue()
      }
      if let answer, let reason = Extent.refusal(of: answer) {
        throw .refused("\(name): \(reason)")
      }
      return Edit(answer: answer, draft: try drafts.committed(root, of: value))
    } catch {
      throw .runtime(LuaReport(message: error.text, place: function.place))
    }
  }
}

extension moon_item {
  /// Makes the item of a draft.
  fileprivate init(draft: UInt32) {
    self.init()
    set(draft: draft)
  }

  fileprivate mutating func set(draft index: UInt32) {
    tag = UInt8(MOON_DRAFT.rawValue)
    draft = index
  }

  /// Sets an argument, which may get a draft; returns false for a text, which an item of a call
  /// can't hold.
  fileprivate mutating func setArgument(_ value: Value, in drafts: inout Drafts) -> Bool {
    if let argument = drafts.addArgument(value) {
      set(draft: argument)
    } else if case .string = value {
      return false
    } else {
      set(value)
    }
    return true
  }
}
