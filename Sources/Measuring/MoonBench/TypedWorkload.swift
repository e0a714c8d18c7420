import Moonwire

/// Actions and a state that are Swift types, beside the same as values.
enum TypedWorkload {
  private struct One: Feature {
    struct State: FeatureState { var a = 0 }
    struct Set: TypedAction { var a: Int }

    var body: some Registrations {
      Reducer { (state: inout State, action: One.Set) in state.a = action.a }
    }
  }

  private struct Ten: Feature {
    struct State: FeatureState {
      var a = 0
      var b = 0.5
      var c = "text"
      var d = true
      var e = 0
      var f = 0.5
      var g = "text"
      var h = true
      var i: [Int] = [1, 2, 3]
      var j = ["one": 1]
    }
    struct Set: TypedAction {
      var a: Int
      var b = 0.5
      var c = "text"
      var d = true
      var e = 0
      var f = 0.5
      var g = "text"
      var h = true
      var i: [Int] = [1, 2, 3]
      var j = ["one": 1]
    }

    var body: some Registrations {
      Reducer { (state: inout State, action: Ten.Set) in state.a = action.a }
    }
  }

  /// Makes the module of values with the state and the declarations of a feature.
  private static func values(like feature: some Feature) throws -> sending Module {
    var module = try feature.module()
    module.reducers = module.reducers.map { reducer in
      Reducer(reducer.pattern) { slice, action in
        guard case .map(var map) = slice else { return }
        map["a"] = action.payload["a"]
        slice = .map(map)
      }
    }
    return module
  }

  /// Dispatches `count` actions with that many fields, 1 or 10, and prints the time.
  static func run(fieldCount: Int, isTyped: Bool, count: Int) async throws {
    let host = try Host(directory: nil, options: .unlimited)
    if isTyped {
      if fieldCount == 1 { try await host.add(One()) } else { try await host.add(Ten()) }
    } else if fieldCount == 1 {
      try await host.add(try values(like: One()))
    } else {
      try await host.add(try values(like: Ten()))
    }
    let session = await host.openSession()
    let ten = try Action(Ten.Set(a: 0)).payload.mapValue ?? Map()
    let type: Text = fieldCount == 1 ? "one/set" : "ten/set"
    let processor = Usage.processorTime
    try await host.perform { host in
      for number in 0..<count {
        let action: Action
        switch (fieldCount, isTyped) {
        case (1, true): action = try Action(One.Set(a: number))
        case (1, false): action = Action(type, ["a": .int(Int64(number))])
        case (_, true): action = try Action(Ten.Set(a: number))
        case (_, false):
          var payload = ten
          payload["a"] = .int(Int64(number))
          action = Action(type, .map(payload))
        }
        try host.dispatch(action, to: session)
      }
    }
    let used = Usage.processorTime - processor
    let name = "\(isTyped ? "typed" : "values") \(fieldCount)"
    print("{\"peer\":\"moonwire\",\"workload\":\"\(name)\",\"n\":\(count),\"cpu_s\":\(used)}")
    await host.close()
  }
}
