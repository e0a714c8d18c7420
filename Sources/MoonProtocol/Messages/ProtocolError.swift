import MoonPrompt
package import Moonwire

/// The reason that a request has no result.
package struct ProtocolError: Error, Sendable, Equatable {
  /// The codes of errors: those of JSON-RPC, and ours below -32000.
  package enum Code: Int64, CaseIterable, Sendable {
    case parse = -32_700
    case invalidRequest = -32_600
    case unknownMethod = -32_601
    case invalidParameters = -32_602
    case failed = -32_000
    case noSession = -32_001
    case tooMuch = -32_002
    case cancelled = -32_800

    /// The meaning in one sentence.
    package var meaning: String {
      switch self {
      case .parse: "the line isn't JSON in UTF-8"
      case .invalidRequest: "the JSON isn't a request, or its id belongs to another request"
      case .unknownMethod: "there is no such method"
      case .invalidParameters: "a parameter is missing, unknown or of another type"
      case .failed: "the app has refused or failed; `data` is the report, as `--json` prints it"
      case .noSession: "there is no such session"
      case .tooMuch: "the client has more requests, subscriptions or sessions than it may have"
      case .cancelled: "the request was cancelled"
      }
    }
  }

  package let code: Code
  package let message: String
  package var data: Value?

  package init(_ code: Code, _ message: String? = nil) {
    self.code = code
    self.message = message ?? code.meaning
  }

  /// Makes the error of what the app has refused.
  init(_ report: Report) {
    code = .failed
    message = report.headline
    data = report.value
  }

  init(_ problem: LineProblem) { self.init(problem.report) }

  /// The error as a member of a reply.
  var value: Value {
    var map: Map = ["code": .int(code.rawValue), "message": .string(Text(message))]
    map["data"] = data
    return .map(map)
  }
}
