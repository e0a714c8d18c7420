import MoonValues

/// The keys of payloads and options that every navigation reads.
///
/// As keys, since a subscript with a string makes a text of it each time.
extension Key {
  static var animated: Key { "animated" }
  static var once: Key { "once" }
  static var option: Key { "option" }
  static var origin: Key { "origin" }
  static var params: Key { "params" }
  static var url: Key { "url" }
  static var window: Key { "window" }
}

extension Value {
  /// The value under a key of a map; nil if there is none.
  func field(_ key: Key) -> Value? {
    if case .map(let map) = self { map[key] } else { nil }
  }
}
