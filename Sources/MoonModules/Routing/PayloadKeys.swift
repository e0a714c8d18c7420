package import MoonValues

/// The keys of payloads and options that every navigation reads.
///
/// As keys, since a subscript with a string makes a text of it each time.
extension Key {
  package static var animated: Key { "animated" }
  static var once: Key { "once" }
  package static var option: Key { "option" }
  package static var origin: Key { "origin" }
  package static var params: Key { "params" }
  package static var url: Key { "url" }
  package static var window: Key { "window" }
}

extension Value {
  /// The value under a key of a map; nil if there is none.
  package func field(_ key: Key) -> Value? {
    if case .map(let map) = self { map[key] } else { nil }
  }
}
