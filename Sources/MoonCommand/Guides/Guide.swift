import CMoonGuides

/// A guide that the program has in itself.
struct Guide {
  let name: String
  private let bytes: UnsafeBufferPointer<UInt8>

  /// The text in Markdown.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the guide of a name; nil if there is none.
  static func named(_ name: String) -> Guide? { all.first { $0.name == name } }

  /// All guides.
  static var all: [Guide] {
    var count = 0
    let guides = UnsafeBufferPointer(start: mguides(&count), count: count)
    return guides.map {
      Guide(
        name: String(cString: $0.name),
        bytes: UnsafeBufferPointer(start: $0.text, count: $0.length))
    }
  }
}
