import CMoonLua
package import MoonValues

/// The calls that change a value through drafts.
extension Machine {
  /// Calls a reducer, which changes a slice.
  ///
  /// The function receives a draft of the slice, the payload and, if it has a third parameter, the
  /// action. A payload that is a list or a map is a draft as well, whose changes are lost; null,
  /// which an action without a payload has, is an empty table. The new slice is the function's
  /// result, or the draft if it returns nothing. `refusal` returns why a returned table can't be
  /// the slice, or nil. `name` is the name of the slice in errors, if it isn't that of the machine.
  ///
  /// - Throws: ``LuaError``. Nothing has changed then.
  /// - Complexity: O(parts of the payload that the new slice holds), besides the function's work.
  package func reduce(
    _ function: LuaFunction, _ slice: inout LentValue, name: String? = nil, payload: Value,
    action: () -> Value, refusal: (Value) -> String? = { _ in nil }, limits: CallLimits
  ) throws(LuaError) {
    try checkIdle()
    defer { retireDrafts() }
    let root = drafts.lend(&slice.value, name: name)
    do throws(LuaError) {
      try callReducer(
        function, root, payload, action, limits, place: name == nil ? place : nil)
      try takeBack(&slice, root, name, refusal, function)
    } catch {
      drafts.restore(&slice)
      throw error
    }
  }

  private func callReducer(
    _ function: LuaFunction, _ root: UInt32, _ payload: Value, _ action: () -> Value,
    _ limits: CallLimits, place: UnsafePointer<CChar>?
  ) throws(LuaError) {
    var items = (moon_item(draft: root), moon_item())
    if !function.takes(3), items.1.setArgument(payload, in: &drafts) {
      var call = limits.call(place: place)
      let status = withUnsafeBytes(of: &items) {
        moon_vm_call_items(
          vm, &call, function.reference, $0.assumingMemoryBound(to: moon_item.self).baseAddress,
          2, &results)
      }
      return try check(status, limits, function: function)
    }
    arguments.clear()
    arguments.writeDraft(root)
    if let argument = drafts.addPayload(payload) {
      arguments.writeDraft(argument)
    } else {
      arguments.write(payload)
    }
    if function.takes(3) { arguments.write(action()) }
    try callWithArguments(function, limits, place: place)
  }

  /// Takes back the slice that a reducer has made: its result, or its draft.
  private func takeBack(
    _ slice: inout LentValue, _ root: UInt32, _ name: String?, _ refusal: (Value) -> String?,
    _ function: LuaFunction
  ) throws(LuaError) {
    do throws(HostRefusal) {
      if results.length == 0 {
        slice.value = try drafts.committed(root)
      } else {
        var reader = WireReader(results, of: self)
        slice.value = try reader.takeSlice(name ?? self.name, refusal)
      }
      swap(&slice.change, &drafts.change)
      if drafts.sharesArguments { try slice.checkNumbers(name ?? self.name) }
    } catch {
      throw .runtime(LuaReport(message: error.text, place: function.place))
    }
    if !slice.change.isOfEntry { slice.forgetNoChange() }
  }

  /// The results of a function that edits a draft.
  package struct Edit {
    /// The value that the function returned; nil for nothing.
    package let answer: Value?
    /// The contents of the draft.
    package let draft: Value
  }

  /// Calls a function with a draft of `value`, which is changed in place if nothing else holds it,
  /// and the arguments that `add` adds.
  ///
  /// `name` is the name of the value in errors.
  ///
  /// - Throws: ``LuaError``. Nothing has changed then.
  package func edit(
    _ function: LuaFunction, _ value: consuming Value, name: String, limits: CallLimits,
    passing add: (ArgumentList) -> Void
  ) throws(LuaError) -> Edit {
    try checkIdle()
    defer { retireDrafts() }
    let root = drafts.lend(&value, name: name, isLent: false)
    arguments.clear()
    arguments.writeDraft(root)
    add(ArgumentList(of: self))
    try callWithArguments(function, limits)
    do throws(HostRefusal) {
      // Read first, since a committed draft can't be read.
      var answer: Value?
      if results.length > 0 {
        var reader = WireReader(results, of: self)
        answer = reader.takeDraft().map { drafts.folded($0) } ?? reader.takeValue()
      }
      if let answer, let reason = Extent.refusal(of: answer) {
        throw .refused("\(name): \(reason)")
      }
      let draft = try drafts.committed(root)
      if drafts.sharesArguments,
        let reason = Extent.refusal(ofShared: answer ?? draft, Path([.key(Text(name))]))
      {
        throw .refused(reason)
      }
      return Edit(answer: answer, draft: draft)
    } catch {
      throw .runtime(LuaReport(message: error.text, place: function.place))
    }
  }
}

extension WireReader {
  /// Takes the slice that a reducer has returned; `name` is the slice's in errors.
  fileprivate mutating func takeSlice(
    _ name: String, _ refusal: (Value) -> String?
  ) throws(HostRefusal) -> Value {
    var value: Value?
    if let draft = takeDraft() {
      guard machine.drafts.isArgument(draft) else { return try machine.drafts.committed(draft) }
      value = machine.drafts.folded(draft)
    } else {
      value = takeValue()
    }
    if let reason = value.flatMap(Extent.refusal) { throw .refused("\(name): \(reason)") }
    switch value {
    case nil: return try machine.drafts.committed(0)
    case let made? where made.isContainer:
      if let refusal = refusal(made) { throw .refused(refusal) }
      machine.drafts.takeHold(of: 0)
      return made
    default:
      throw .refused("a reducer returns nothing, or the new state as a table")
    }
  }
}

extension LentValue {
  /// Checks the parts of a payload that a slice holds; `name` is the slice's in errors.
  ///
  /// A program in Swift made the payload, which may hold what no script can store.
  fileprivate borrowing func checkNumbers(_ name: String) throws(HostRefusal) {
    let place = Path.Component.key(Text(name))
    for change in Diff.changes(from: former, to: value, limit: .max).changes {
      let path = Path([place] + change.path.components)
      if let reason = change.after.flatMap({ Extent.refusal(ofNaNIn: $0, path) }) {
        throw .refused(reason)
      }
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
    if let argument = drafts.addPayload(value) {
      set(draft: argument)
    } else if case .string = value {
      return false
    } else {
      set(value)
    }
    return true
  }
}
