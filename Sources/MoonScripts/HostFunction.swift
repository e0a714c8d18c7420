import MoonLua

/// A function of the host that Lua code calls, and all that is known of it.
///
/// The table ``HostFunctions`` has all. Calls, their replay in durable tasks, the names that
/// scripts can use, and help derive from it.
final class HostFunction: Sendable {
  typealias Body = @Sendable (HostCall) throws(HostRefusal) -> HostAnswer

  /// The name in the table `host` of the Lua code that comes with the host.
  let name: String
  /// The words of scripts that call it first of all.
  let words: [ScriptWord]
  /// Whether arguments may hold strings of any bytes.
  let takesBytes: Bool
  /// The reason that text typed at the prompt can't call it; nil if it can.
  let promptRefusal: String?
  /// What a durable task does with its calls.
  let replay: Replay
  /// Carries out a call.
  let make: Body

  init(
    _ name: String, _ words: [ScriptWord] = [], takesBytes: Bool = false,
    atPrompt promptRefusal: String? = nil, replay: Replay = .recorded, make: @escaping Body
  ) {
    self.name = name
    self.words = words
    self.takesBytes = takesBytes
    self.promptRefusal = promptRefusal
    self.replay = replay
    self.make = make
  }

  /// The reason that the prompt can't call functions of tasks.
  static let noTasksAtPrompt =
    "what is typed is one task and starts no others: type one wait after another, or put the code "
    + "in an effect or a command of a module, which :call calls"
}
