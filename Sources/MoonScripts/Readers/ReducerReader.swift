import MoonActions
import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `reducers = { add = function(state, payload, action) … end }`.
  static let reducers = KeyReader("reducers", countMax: 10_000) { reader, form, module in
    for (name, function) in reader.form.functions(form, key: "reducers") {
      guard let pattern = reader.pattern(name, key: "reducers", place: function.place)
      else { continue }
      module.reducers.append(
        reader.generation.reducer(pattern, function, ReturnedSlice(of: module)))
    }
  }
}

extension Generation {
  func reducer(
    _ pattern: ActionPattern, _ function: LuaFunction, _ returned: ReturnedSlice
  ) -> Reducer {
    let template = limits(.reducer, "a reducer", .pure(seed: 0))
    // The salt gives each reducer of an action different random numbers.
    let salt = Text("\(name):\(pattern)").stableHash
    return Reducer(
      pattern, place: function.place,
      script: {
        [self, machine, quota] slice, action in
        var limits = template
        limits.purity = .pure(seed: action.seed ^ salt)
        do throws(LuaError) {
          try machine.reduce(
            function, &slice, payload: action.payload, action: { action.value },
            refusal: { returned.refusal(of: $0) }, limits: limits)
          if let refusal = quota.refusal(of: slice.value) {
            slice.restore()
            throw LuaError(refusal, function)
          }
          if let shape, !slice.change.isNone,
            let refusal = shape.refusal(of: slice.value, since: slice.former)
          {
            slice.restore()
            throw LuaError(refusal, function)
          }
        } catch {
          throw failure(error)
        }
      })
  }
}

/// The rules for the results of reducers.
///
/// A class, so that a call of a reducer copies one reference and not the slice and the name.
final class ReturnedSlice {
  /// The slice in a new session; nil if the module has none.
  private let first: Value?
  private let module: ModuleName

  init(of module: Module) {
    first = module.state
    self.module = module.name
  }

  /// Returns why a table can't be the slice; nil if it can.
  func refusal(of made: Value) -> String? {
    if looksLikeActions(made) {
      return "a reducer returns nothing or the new state, and this is an action: it isn't"
        + " dispatched; call self.dispatch where there is a self, as in `observe`"
    }
    guard first == nil else { return nil }
    return "a reducer's table would be the new state, and module \(module) has none: give it"
      + " `state`, or call self.dispatch in `observe` if this was meant to be an action"
  }

  /// Returns whether a table looks like an action or a list of actions, and the module's slice
  /// doesn't.
  private func looksLikeActions(_ made: Value) -> Bool {
    switch made {
    case .map(let map): Self.isAction(map) && first?["type"] == nil
    case .list(let list):
      first?.listValue == nil && !list.isEmpty
        && list.allSatisfy { $0.mapValue.map(Self.isAction) ?? false }
    default: false
    }
  }

  private static func isAction(_ map: Map) -> Bool {
    map["type"]?.stringValue != nil
      && map.keys.allSatisfy { $0 == "type" || $0 == "payload" || $0 == "meta" }
  }
}

extension LuaError {
  /// Makes the error of a function whose result can't be the slice.
  fileprivate init(_ refusal: SliceRefusal, _ function: LuaFunction) {
    self = .runtime(LuaReport(message: refusal.description, place: function.place))
  }
}
