import MoonLua
import MoonModules
import MoonValues

extension KeyReader {
  /// Reads `observe = { ["counter.count"] = f, { paths = { n = "counter.count" }, run = g } }`.
  ///
  /// A function is `function(new, old, self) … end`, or `{ run = f, initial = true, same = g }`.
  static let observe = KeyReader("observe") { reader, form, module in
    let plans = reader.form.observers(form)
    module.observers = plans.map { [generation = reader.generation] in
      $0.observer(in: generation)
    }
  }
}

extension FormReader {
  /// The maximum number of paths of one observer, all of which are compared at each change.
  static let observedPathsMax = 100

  fileprivate mutating func observers(_ table: Form) -> [ObserverPlan] {
    guard table.fields != nil || table.elements != nil else {
      note(
        .wrongKind(key: "observe", expected: "a table of functions", found: table.kind),
        key: "observe")
      return []
    }
    return table.components.compactMap { key, value in
      switch key {
      case .string(let path): observer(of: path.string, value)
      case .int(let position): observer(ofSeveral: value, key: "observe[\(position)]")
      }
    }
  }

  private mutating func observer(of text: String, _ value: Form) -> ObserverPlan? {
    let path = self.path(text, key: "observe", at: value.functionValue?.place)
    if let function = value.functionValue {
      return path.map { ObserverPlan(of: StateSelection($0), run: function) }
    }
    let key = Path([.key("observe"), .key(Text(text))]).description
    guard value.fields != nil else {
      // The dots of the path would be read as those of the key, so its place is found by the quoted
      // text.
      note(
        .wrongKind(key: key, expected: "a function or a table", found: value.kind),
        at: place(quoting: text), key: key)
      return nil
    }
    let fields = self.fields(of: value, key: key, known: Self.observerKeys)
    return plan(path.map { StateSelection($0) }, fields, key: key, value)
  }

  private mutating func observer(ofSeveral value: Form, key: String) -> ObserverPlan? {
    let fields = self.fields(of: value, key: key, known: Self.observerKeys + ["paths"])
    guard value.fields != nil else { return nil }
    let parts = self.parts(fields["paths"], key: key + ".paths")
    return plan(parts.map { StateSelection($0) }, fields, key: key, value)
  }

  private static let observerKeys = ["debounce", "initial", "run", "same", "throttle"]

  private mutating func plan(
    _ selection: StateSelection?, _ fields: [String: Form], key: String, _ table: Form
  ) -> ObserverPlan? {
    let isInitial = boolean(fields["initial"], key: key + ".initial") ?? false
    let same = function(fields["same"], key: key + ".same")
    let pace = pace(fields, key: key)
    guard let run = required(fields["run"], key: key + ".run", table), let selection else {
      return nil
    }
    return ObserverPlan(
      of: selection, run: run, beginning: isInitial ? .start : .change, same: same,
      pace: pace)
  }

  /// Reads `debounce` or `throttle`, a number of seconds.
  mutating func pace(_ fields: [String: Form], key: String) -> Pace? {
    let debounce = duration(fields["debounce"], key: key + ".debounce")
    let throttle = duration(fields["throttle"], key: key + ".throttle")
    if debounce != nil, throttle != nil {
      note(
        .wrongKind(key: key, expected: "debounce or throttle", found: "both"),
        key: key + ".throttle")
    }
    return debounce.map { .debounce($0) } ?? throttle.map { .throttle($0) }
  }

  private mutating func parts(_ table: Form?, key: String) -> [StateSelection.Part]? {
    let entries = table?.components ?? []
    guard !entries.isEmpty else {
      note(
        .wrongKind(
          key: key, expected: "a table of paths into the state", found: table?.kind ?? "nothing"),
        key: key)
      return nil
    }
    guard entries.count <= Self.observedPathsMax else {
      note(
        .tooMany(key: key, count: entries.count, max: Self.observedPathsMax), key: key)
      return nil
    }
    var parts: [StateSelection.Part] = []
    for (name, value) in entries {
      let key = "\(key).\(name)"
      guard let text = string(value, key: key), let path = self.path(text, key: key, at: nil)
      else { continue }
      parts.append(.init(name, path))
    }
    return parts.count == entries.count ? parts : nil
  }

  private mutating func path(_ text: String, key: String, at place: SourcePlace?) -> Path? {
    do {
      return try Path(parsing: text)
    } catch {
      note(.invalidPath(key: key, text: text), at: place ?? self.place(quoting: text))
      return nil
    }
  }
}

/// The parts of an observer in Lua.
private struct ObserverPlan {
  let selection: StateSelection
  let run: LuaFunction
  let beginning: Observer.Beginning
  let same: LuaFunction?
  let pace: Pace?

  init(
    of selection: StateSelection, run: LuaFunction, beginning: Observer.Beginning = .change,
    same: LuaFunction? = nil, pace: Pace? = nil
  ) {
    self.pace = pace
    self.selection = selection
    self.run = run
    self.beginning = beginning
    self.same = same
  }
}

extension ObserverPlan {
  /// Returns the observer, which calls the functions of a generation.
  func observer(in generation: Generation) -> Observer {
    let limits = generation.limits(.observer, "an observer")
    let label = selection.description
    return Observer(
      of: selection, from: beginning, unless: same.map { comparison($0, label, generation) },
      pace: pace,
      place: run.place
    ) { [run] new, old, _ in
      _ = try generation.call(
        run,
        [
          Argument(shown: new, label), run.takes(2) ? Argument(shown: old, label) : .none, .context,
        ], limits)
    }
  }

  /// Returns a function that compares two values and has no access to the session.
  private func comparison(
    _ function: LuaFunction, _ label: String, _ generation: Generation
  ) -> Observer.Comparison {
    let limits = generation.limits(.observer, "an observer's comparison", .pure(seed: 0))
    return { new, old in
      let arguments = [Argument(shown: new, label), Argument(shown: old, label)]
      switch try generation.call(function, arguments, limits).first ?? nil {
      case .bool(let isSame): return isSame
      case nil: return false
      case let other?:
        throw generation.refusal("`same` returns true or false, not \(other.kind)", function)
      }
    }
  }
}

extension Argument {
  /// Returns a part of the state as an argument; nil if it doesn't exist.
  fileprivate init(shown value: Value?, _ label: String) {
    self = value.map { .view($0, name: label) } ?? .none
  }
}
