package import MoonPrompt
package import MoonTesting
import Moonwire

/// What clients of a host are served from: the host, and what is shown of it.
///
/// It has no sockets: each client's bytes go through a ``ClientConnection``.
package final class ProtocolServer: Sendable {
  /// The maximum number of sessions that are open while a client may open another.
  package static let sessionCountMax = 1_000

  let host: Host
  /// The session that clients use without naming one.
  let session: SessionID
  let directory: String
  let log: LogRing
  /// The events of the host, for clients that come and go.
  let events = Readers<HostEvent>()
  let feeds = StateFeeds()
  let watches = ScreenWatches()
  let processID: Int64
  /// Tells this run from others, whose commits have the same numbers.
  let run = String(UInt64.random(in: .min ... .max), radix: 16)
  /// What checks the app and runs its tests; nil if nothing does.
  let inspection: AppInspection?
  /// The questions that people at the prompts of clients answer.
  let questions: GrantQuestions
  private let methods: [String: Method]
  private let prompt: PromptSession

  /// Makes the server of a host and its session, with these methods.
  ///
  /// `processID` is what clients are told of the process.
  package init(
    _ prompt: PromptSession, _ methods: [Method], directory: String, processID: Int64,
    inspection: AppInspection? = nil
  ) {
    self.methods = Dictionary(methods.map { ($0.name, $0) }) { first, _ in first }
    (host, session, log) = (prompt.host, prompt.id, prompt.log)
    self.prompt = prompt
    self.directory = directory
    self.processID = processID
    self.inspection = inspection
    questions = GrantQuestions(
      host, prompt.keptGrants ?? KeptGrants(in: nil, for: directory))
    host.deliverEvents { [events, questions] event in
      if case .failed(let module?, _, _) = event { questions.forget(module) }
      events.tell(event)
    }
  }

  /// The name of the app: that of its directory.
  var name: String { directory.split(separator: "/").last.map(String.init) ?? "/" }

  /// Returns the method with a name.
  ///
  /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/unknownMethod``
  func method(named name: String) throws(ProtocolError) -> Method {
    if let method = methods[name] { return method }
    let hint = Spelling.nearest(to: name, in: Array(methods.keys)).map { "did you mean \($0)?" }
    throw ProtocolError(
      .unknownMethod,
      "there is no method \(name.prefix(100)): \(hint ?? "host/describe lists them")")
  }

  func prompt(of id: SessionID, _ cause: Cause) -> PromptSession {
    prompt.with(id, cause)
  }
}
