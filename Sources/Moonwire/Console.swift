import MoonActions
import MoonLua
import MoonModules
import MoonScripts
import MoonSession
import MoonValues

/// The Lua machine behind the prompt, which evaluates text for a person.
///
/// Confined to the host. Globals keep their values until the machine is killed.
final class Console {
  private var machine: Machine?
  /// What runs in the machine.
  private var task = RunningTask()
  private let bindings: Bindings
  private let watchdog: Watchdog?
  private let promptLimits: PromptLimits
  private let findLibrary: (String) throws(HostRefusal) -> Services.Library

  init(
    bindings: Bindings, watchdog: Watchdog?, limits: PromptLimits,
    findLibrary: @escaping (String) throws(HostRefusal) -> Services.Library
  ) {
    self.bindings = bindings
    self.watchdog = watchdog
    promptLimits = limits
    self.findLibrary = findLibrary
  }

  /// The limits of an evaluation, which ``Host/interrupt()`` ends as well.
  private var limits: CallLimits {
    CallLimits(budget: promptLimits.budget, purity: .impure, entry: "the prompt")
  }

  /// Lets the next text run in a new machine, which has nothing of the earlier ones.
  func renew() { machine = nil }

  /// Evaluates text that can't wait, as an expression or else as statements.
  ///
  /// - Throws: ``Fault`` of the registration `prompt`.
  func evaluate(_ text: String, in session: Session) throws(Fault) -> [EvaluatedValue] {
    try run(text, in: session) { machine throws(LuaError) in
      try machine.evaluate(text, name: "prompt", limits: limits).map(EvaluatedValue.init)
    }
  }

  /// Begins to evaluate text that can wait.
  ///
  /// - Throws: ``Fault`` of the registration `prompt`.
  func begin(
    _ text: String, in session: Session
  ) throws(Fault) -> (Evaluation, Evaluation.Step) {
    try run(text, in: session) { machine throws(LuaError) in
      let evaluation = Evaluation(text, in: machine, task, limits: limits)
      return (evaluation, try evaluation.begin(name: "prompt"))
    }
  }

  /// Goes on with an evaluation.
  ///
  /// - Throws: ``Fault`` of the registration `prompt`.
  func goOn(
    _ evaluation: Evaluation, on answer: WaitAnswer, in session: Session
  ) throws(Fault) -> Evaluation.Step {
    try run(evaluation.text, of: evaluation.machine, in: session) { _ throws(LuaError) in
      try evaluation.goOn(on: answer)
    }
  }

  /// Ends an evaluation at its wait.
  ///
  /// - Throws: ``Fault`` of the registration `prompt` if a `__close` handler fails.
  func cancel(_ evaluation: Evaluation, in session: Session) throws(Fault) {
    try run(evaluation.text, of: evaluation.machine, in: session) { _ throws(LuaError) in
      try evaluation.cancel()
    }
  }

  /// Runs code of a text in a machine, by default the one that new texts run in.
  private func run<Result>(
    _ text: String, of used: Machine? = nil, in session: Session,
    _ body: (Machine) throws(LuaError) -> Result
  ) throws(Fault) -> Result {
    do throws(LuaError) {
      let machine = if let used { used } else { try runningMachine() }
      return try bindings.activity.run(nil, in: session) { () throws(LuaError) in
        try body(machine)
      }
    } catch {
      if error.isFatal, used == nil || used === machine { machine = nil }
      let failure = CodeFailure(error)
      throw Fault(
        module: "prompt", generation: 0, registration: Self.registration, reason: failure.reason,
        place: failure.place, frames: failure.frames,
        excerpt: failure.place.flatMap { place in
          place.file == "prompt" ? Excerpt(of: Array(text.utf8), line: place.line) : nil
        })
    }
  }

  /// Returns the names that can be typed: each with the names in it, its usage, or its Lua type.
  ///
  /// Raw tables are read, at most three levels and 2,000 names; no code of the person's runs.
  func names(in session: Session) -> Map {
    let limits = CallLimits(budget: .zero, purity: .impure, entry: "completion")
    let forms = try? bindings.activity.run(nil, in: session) { () throws(LuaError) in
      try runningMachine().evaluate("_ENV['\\1names']()", name: "prompt", limits: limits)
    }
    guard case .value(.map(let names))? = forms?.first else { return Map() }
    return Self.described(names)
  }

  /// Returns names with the usage of functions that are known.
  private static func described(_ names: Map, in owner: String = "") -> Map {
    Map(
      names.map { key, value in
        let path = if case .string(let name) = key { owner + name.string } else { owner }
        if let inner = value.mapValue { return (key, .map(described(inner, in: path + "."))) }
        return (key, ScriptLibrary.word(path).map { .string(Text($0.usage)) } ?? value)
      })
  }

  static let registration = Registration(.load, "prompt")

  /// Returns the error of text that was ended at a wait: because it took longer than `time`, or
  /// because somebody cancelled it.
  static func ended(atWait wait: String, after time: Duration?) -> Fault {
    let milliseconds = time.map {
      Int(
        clamping: $0.components.seconds * 1_000 + $0.components.attoseconds / 1_000_000_000_000_000)
    }
    var fault = Fault(
      module: "prompt", generation: 0, registration: registration,
      reason: milliseconds.map { .lifetimeExceeded(milliseconds: $0) } ?? .interrupted)
    fault.lastWait = wait
    return fault
  }

  /// The error of evaluating without a session.
  static let noSession = Fault(
    module: "prompt", generation: 0, registration: registration,
    reason: .raised(DispatchError.noSession.description))

  private func runningMachine() throws(LuaError) -> Machine {
    if let machine { return machine }
    task = RunningTask()
    let services = Services(
      callHost: HostCalls(module: nil, task: task, bindings: bindings).call,
      findLibrary: { [bindings, findLibrary] (name) throws(HostRefusal) in
        if let part = Prelude.library(name) ?? bindings.services.catalog.library(name) {
          return part
        }
        return try findLibrary(name)
      })
    let made = try Machine(
      name: "prompt", prelude: Prelude.console, settings: HostFunctions.prelude,
      services: services, watchdog: watchdog, seed: bindings.randomSeed(),
      memoryQuota: promptLimits.memoryQuota)
    machine = made
    return made
  }
}

extension EvaluatedValue {
  init(_ form: Form) {
    if case .value(let value) = form {
      self = .value(value)
    } else {
      self = .described(form.text(depth: 0))
    }
  }
}

extension Form {
  /// Tables deeper than this are shown as `{…}`.
  private static let shownDepthMax = 3

  fileprivate func text(depth: Int) -> String {
    switch self {
    case .value(let value): return value.prettyText(PrettyStyle())
    case .function(let function): return "function (\(function.place))"
    case .opaque(let text): return text
    case .table(let entries):
      guard depth < Self.shownDepthMax else { return "{…}" }
      let parts = entries.map { entry in
        let key =
          if case .value(.string(let name)) = entry.key { name.string } else {
            "[\(entry.key.text(depth: depth + 1))]"
          }
        return "\(key) = \(entry.value.text(depth: depth + 1))"
      }
      return "{ \(parts.joined(separator: ", ")) }"
    }
  }
}
