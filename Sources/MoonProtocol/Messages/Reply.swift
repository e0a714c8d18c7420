package import Moonwire

/// The lines that a server sends.
package enum Reply {
  /// The reply to the request with an id.
  package static func value(_ result: Result<Value, ProtocolError>, to id: Value) -> Value {
    switch result {
    case .success(let value): ["jsonrpc": "2.0", "id": id, "result": value]
    case .failure(let error): ["jsonrpc": "2.0", "id": id, "error": error.value]
    }
  }

  /// The line of a value.
  package static func line(_ value: Value) -> [UInt8] { Array(value.canonicalText.utf8) }

  /// The line of a notification.
  static func notification(_ method: String, _ parameters: Map) -> [UInt8] {
    line(["jsonrpc": "2.0", "method": .string(Text(method)), "params": .map(parameters)])
  }
}
