import MoonValues

/// Rejects values that are too deep or too long before they are read.
struct BodyLimits {
  private var byteCount = 0

  static func check(_ body: Value, at path: Path) throws(CardError) {
    var limits = BodyLimits()
    try limits.check(body, at: path, depth: Card.depthMax)
  }

  private mutating func check(
    _ value: Value, at path: @autoclosure () -> Path, depth: Int
  ) throws(CardError) {
    switch value {
    case .string(let text):
      guard text.utf8Count <= Card.textBytesMax else {
        throw .limitExceeded(.textBytes, max: Card.textBytesMax, path())
      }
      byteCount += text.utf8Count
      guard byteCount <= Card.cardBytesMax else {
        throw .limitExceeded(.cardBytes, max: Card.cardBytesMax, path())
      }
    case .list(let list):
      guard depth > 0 else { throw .limitExceeded(.depth, max: Card.depthMax, path()) }
      for (index, item) in list.enumerated() {
        try check(item, at: path().appending(.index(Int64(index) + 1)), depth: depth - 1)
      }
    case .map(let map):
      guard depth > 0 else { throw .limitExceeded(.depth, max: Card.depthMax, path()) }
      for (key, item) in map {
        try check(item, at: path().appending(Path.Component(key)), depth: depth - 1)
      }
    case .null, .bool, .int, .double: break
    }
  }
}
