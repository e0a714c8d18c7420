public import MoonActions
public import MoonServiceKit
public import MoonValues

/// The reason that a command has no answer.
public enum CommandError: Error, Sendable, Equatable {
  /// The text can't name a command.
  case malformed(Text)
  /// There is no module of this name; `nearest` has a similar spelling.
  case noModule(String, nearest: String?)
  /// The module isn't in service, though its files are there.
  case notInService(ModuleName, ModuleAbsence)
  /// The module has no such command; `nearest` is one with similar spelling.
  case unknown(Text, nearest: String?)
  /// All commands of this name, which are those of these modules, leave the payload to others.
  case notResponsible(Text, asked: [ModuleName])
  /// The module is suspended.
  case suspended(ModuleName)
  /// The payload doesn't match the schema that the module declares.
  case invalidPayload(Text, problems: [PayloadProblem])
  /// More than `max` commands call each other; `chain` is the end of them.
  case tooDeep(chain: [String], max: Int)
  /// It wasn't begun, for this reason: its module has too many tasks, or the session stands still.
  case notBegun(String)
  /// The command refused.
  case refused(Refusal)
  /// The command failed.
  case failed(Fault)
  /// The command was cancelled: by a person, or because its module left, was reloaded or suspended.
  case cancelled(Text)
  /// The command took longer than the caller was willing to wait.
  case tookTooLong(Text)
  /// The session is closed.
  case noSession
}

extension CommandError: CustomStringConvertible {
  /// One sentence, with a suggested spelling.
  public var description: String {
    switch self {
    case .malformed(let name):
      "'\(name)' can't be a command: write a module's name, a slash and the command's name"
    case .noModule(let name, let nearest):
      "there is no module \(name)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .notInService(let module, let absence): "module \(module) isn't in service: \(absence)"
    case .unknown(let name, let nearest):
      "there is no command \(name)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .notResponsible(let name, let asked):
      "no command \(name) takes this payload; asked: "
        + Wording.list(asked.map { "module \($0)" })
    case .suspended(let module): "module \(module) is suspended: it failed too often"
    case .invalidPayload(let name, let problems):
      "the payload doesn't fit \(name): " + problems.map(\.description).joined(separator: "; ")
    case .tooDeep(let chain, let max):
      "more than \(max) commands call each other: … → " + chain.joined(separator: " → ")
    case .notBegun(let text): text
    case .refused(let refusal): "\(refusal.headline): \(refusal.reason)"
    case .failed(let fault): fault.description
    case .cancelled(let name):
      "the command \(name) was cancelled: its module was reloaded, suspended or removed, or a "
        + "person cancelled it"
    case .tookTooLong(let name): "the command \(name) took too long"
    case .noSession: "the session is closed: open another one"
    }
  }
}
