import MoonActions
import MoonLua
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `reduce_all = { ["auth/logged_out"] = function(state, payload, action) … end }`, where
  /// `state` is the whole state, or one function for all actions.
  static let reduceAll = KeyReader("reduce_all") { reader, form, module in
    let scopes = module.needs.filter { $0.kind == .state }
    if scopes.isEmpty, !reader.form.lacksGrants {
      reader.form.note(.nothingNeeded(key: "reduce_all", kind: .state), key: "reduce_all")
    }
    for (pattern, function) in reader.functionsByAction(form, key: "reduce_all") {
      module.wholeStateReducers.append(
        SliceChanges(scopes: scopes, generation: reader.generation).reducer(pattern, function))
    }
  }
}

/// The check of the changes that a module makes to the whole state.
private struct SliceChanges {
  let scopes: [Scope]
  let generation: Generation

  private var module: ModuleName { generation.name }

  /// Returns a reducer of the whole state that calls a function.
  func reducer(_ pattern: ActionPattern, _ function: LuaFunction) -> Reducer {
    let template = generation.limits(.reducer, "a reducer of the whole state", .pure(seed: 0))
    // Differs from the salt of the module's reducer of the same action.
    let salt = Text("\(module):all:\(pattern)").stableHash
    // What it makes of other modules' slices is held to their quotas, by the session.
    return Reducer(pattern, place: function.place) { [self] state, action in
      var limits = template
      limits.purity = .pure(seed: action.seed ^ salt)
      var lent = LentValue(state)
      do throws(LuaError) {
        try generation.machine.reduce(
          function, &lent, name: "state", payload: action.payload, action: { action.value },
          refusal: { _ in "reduce_all changes `state` in place, and returns nothing" },
          limits: limits)
      } catch {
        throw generation.failure(error)
      }
      if let complaint = complaint(from: state, to: lent.value) {
        throw generation.refusal(complaint, function)
      }
      state = lent.value
    }
  }

  /// Returns why a state can't replace another; nil if it can.
  ///
  /// - Complexity: O(slices).
  func complaint(from old: Value, to new: Value) -> String? {
    guard case .map(let before) = old, case .map(let after) = new else {
      return "the whole state has a name for each slice"
    }
    for (key, slice) in after {
      if let former = before[key], former.isIdentical(to: slice) { continue }
      guard case .string(let name) = key else { return "'\(key)' can't be the name of a slice" }
      guard slice.mapValue != nil || slice.listValue != nil else {
        return "the slice \(name) must be a table, not \(slice.kind)"
      }
      if let complaint = complaint(about: name.string) { return complaint }
    }
    for key in before.keys where after[key] == nil {
      if let complaint = complaint(about: key.description) { return complaint }
    }
    return nil
  }

  private func complaint(about slice: String) -> String? {
    guard slice != module.text else { return nil }
    guard let scope = try? Scope(parsing: "state:\(slice)") else {
      return "'\(slice)' can't be the name of a slice"
    }
    if scopes.contains(where: { $0.covers(scope) }) { return nil }
    return "module \(module) changed the slice \(slice), and doesn't ask for it:"
      + " write needs = { \"\(scope)\" }"
  }
}
