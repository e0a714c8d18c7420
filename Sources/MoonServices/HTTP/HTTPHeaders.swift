/// The fields of a head, in the order in which they were written.
///
/// The case of names doesn't matter.
struct HTTPHeaders: Sendable, Equatable {
  /// A field.
  struct Field: Sendable, Equatable {
    var name: String
    var value: String
  }

  private(set) var fields: [Field] = []

  /// Adds a field after the others, even if its name exists.
  mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Adds a field unless its name exists.
  mutating func addUnlessThere(_ name: String, _ value: String) {
    if !contains(name) { add(name, value) }
  }

  /// Replaces all fields of a name with one.
  mutating func replace(_ name: String, with value: String) {
    remove(name)
    add(name, value)
  }

  mutating func remove(_ name: String) { fields.removeAll { $0.isNamed(name) } }

  /// Appends a text to the last value.
  mutating func extendLast(by text: String) {
    if let last = fields.indices.last { fields[last].value += text }
  }

  func contains(_ name: String) -> Bool { fields.contains { $0.isNamed(name) } }

  /// Returns the value of the first field of a name.
  func first(_ name: String) -> String? { fields.first { $0.isNamed(name) }?.value }
}

extension HTTPHeaders.Field {
  func isNamed(_ other: String) -> Bool {
    name.utf8.count == other.utf8.count
      && zip(name.utf8, other.utf8).allSatisfy { Self.lowercased($0) == Self.lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

/// An HTTP method.
struct HTTPMethod: Sendable, Hashable {
  /// The name, in capitals.
  let name: String

  static let get = HTTPMethod(name: "GET")
  static let head = HTTPMethod(name: "HEAD")
  static let post = HTTPMethod(name: "POST")
  static let put = HTTPMethod(name: "PUT")
  static let patch = HTTPMethod(name: "PATCH")
  static let delete = HTTPMethod(name: "DELETE")

  /// Whether requests without a body must say so (RFC 9110 §8.6).
  var announcesNoBody: Bool { self == .post || self == .put || self == .patch }

  /// Whether repeating a request has the same effect as sending it once (RFC 9110 §9.2.2).
  var isIdempotent: Bool { Self.idempotent.contains(name) }

  private static let idempotent: Set = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
}
