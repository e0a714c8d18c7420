import MoonLua
import MoonModules
import MoonServiceKit
import MoonSession
import MoonValues

/// A call of a host function.
///
/// Confined to the host.
struct HostCall {
  /// The maximum duration of a wait in seconds, equal to the one in `tasks.lua`.
  static let secondsMax = 1_000_000_000.0

  let function: HostFunction
  /// The arguments; nil for nil in Lua.
  var arguments: [Value?]
  /// The module whose code calls; nil for text typed at the prompt.
  let module: ModuleName?
  /// The task whose code calls; nil for other code.
  let caller: LuaRun?
  /// Whether the code can wait: that of a task, or text typed at the prompt.
  let canWait: Bool
  let bindings: Bindings
  /// The idempotency key; nil for a call that no durable task makes.
  var key: Text?

  /// The owner of actions without a slash in their type.
  var owner: String { module?.text ?? "" }

  /// Carries out the call.
  func make() throws(HostRefusal) -> HostAnswer { try function.make(self) }

  /// Returns the same call with other arguments.
  func with(_ arguments: [Value?]) -> HostCall {
    var call = self
    call.arguments = arguments
    return call
  }

  // MARK: The caller

  /// Returns the session whose code calls; `what` is what a module lacks while it is loaded.
  func session(_ what: String) throws(HostRefusal) -> Session {
    guard let session = bindings.activity.call?.session else {
      throw .refused("there \(what) while a module is loaded")
    }
    return session
  }

  /// Returns the registration whose code calls, and its context.
  func registration(
    _ refusal: String
  ) throws(HostRefusal) -> (context: SessionContext, registration: Registration) {
    guard let call = bindings.activity.call, let registration = call.registration else {
      throw .refused(refusal)
    }
    return (SessionContext(call.session, registration), registration.registration)
  }

  /// Returns the session whose task calls.
  func taskSession() throws(HostRefusal) -> Session { try session("are no tasks") }

  /// Returns the run of the task that calls.
  func run() throws(HostRefusal) -> LuaRun {
    guard let caller else {
      throw .refused("only an effect, a command or a routing observer's `will` has tasks")
    }
    return caller
  }

  // MARK: Arguments

  /// The argument at an index; nil if it is nil or missing.
  subscript(index: Int) -> Value? { arguments.indices.contains(index) ? arguments[index] : nil }

  /// Returns the text at an index; empty if there is none.
  func text(_ index: Int) -> String {
    self[index].map { $0.stringValue ?? $0.canonicalText } ?? ""
  }

  /// Returns the duration at an index, within the limit; zero for anything but a number.
  func seconds(_ index: Int) -> Duration {
    let seconds: Double =
      switch self[index] {
      case .int(let whole): Double(whole)
      case .double(let number): number
      default: 0
      }
    guard seconds > 0 else { return .zero }
    return .seconds(min(seconds, Self.secondsMax))
  }

  /// Returns the tasks whose numbers are at an index, in a list or alone.
  func tasks(_ index: Int) -> [TaskID] {
    switch self[index] {
    case .int(let number): [TaskID(Int(clamping: number))]
    case .list(let list): list.compactMap(\.intValue).map { TaskID(Int(clamping: $0)) }
    default: []
    }
  }

  /// Returns the path into the state at an index.
  func path(_ index: Int, example: String) throws(HostRefusal) -> Path {
    let text = text(index)
    do {
      return try Path(parsing: text)
    } catch {
      throw .refused("'\(text)' is no path into the state; write one such as \(example)")
    }
  }
}

/// What Lua code gets from a call of the host.
enum HostAnswer {
  /// The results; those of a wait that has ended at once begin with true.
  case results([Argument])
  /// The task waits, and gets the results later.
  case waits(Wait)

  /// Makes the answer of one result.
  static func result(_ result: Argument) -> HostAnswer { .results([result]) }

  /// No results.
  static let nothing = HostAnswer.results([])

  /// The results; none for a wait.
  var results: [Argument] {
    if case .results(let results) = self { results } else { [] }
  }
}
