import Moonwire

/// The methods of the protocol.
package enum Methods {
  /// The version of the protocol: incompatible changes raise it.
  package static let version: Int64 = 1

  /// All methods, in the order of the guide.
  package static let all: [Method] =
    hosts + sessions + actions + navigation + states + history + ModuleMethods.all + prompts
    + SubscriptionMethods.all

  /// Returns text that a command takes as one JSON value.
  static func quoted(_ value: Value?) -> String { value.map { " \($0.canonicalText)" } ?? "" }

  /// Returns a parameter that a command takes as one word.
  ///
  /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/invalidParameters``
  static func word(_ name: String, of parameters: Map) throws(ProtocolError) -> String {
    guard let word = parameters[name]?.stringValue else { return "" }
    guard !word.isEmpty, !word.contains(where: \.isWhitespace) else {
      throw ProtocolError(.invalidParameters, "\(name) is one word, without spaces")
    }
    return word
  }

  /// Returns an integer of the parameters as a word; empty if there is none.
  static func number(_ name: String, of parameters: Map) -> String {
    parameters[name]?.intValue.map(String.init) ?? ""
  }
}
