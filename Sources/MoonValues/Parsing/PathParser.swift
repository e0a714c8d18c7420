/// Parses a path's text.
struct PathParser {
  let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0

  init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  mutating func parse() throws(PathError) -> [Path.Component] {
    var components: [Path.Component] = []
    while offset < bytes.count {
      if components.count == Path.componentCountMax {
        throw .tooManyComponents(max: Path.componentCountMax)
      }
      if bytes[offset] == UInt8(ascii: "[") {
        components.append(try parseBrackets())
        continue
      }
      if !components.isEmpty { try pass(UInt8(ascii: ".")) }
      components.append(.key(try parseIdentifier()))
    }
    return components
  }

  private mutating func parseIdentifier() throws(PathError) -> Text {
    let start = offset
    guard Identifier.isStart(try byte()) else { throw unexpectedByte() }
    while offset < bytes.count, Identifier.isPart(bytes[offset]) { offset += 1 }
    return Text(validUTF8: UnsafeBufferPointer(rebasing: bytes[start..<offset]))
  }

  private mutating func parseBrackets() throws(PathError) -> Path.Component {
    offset += 1
    let component: Path.Component =
      try byte() == UInt8(ascii: "\"") ? .key(try parseString()) : .index(try parseIndex())
    try pass(UInt8(ascii: "]"))
    return component
  }

  private mutating func parseString() throws(PathError) -> Text {
    let start = offset
    do throws(ParseError) {
      let rest = UnsafeBufferPointer(rebasing: bytes[start...])
      var parser = try ValueParser(rest, ParseLimits())
      let text = try parser.parseText()
      offset = start + parser.offset
      return text
    } catch {
      throw .invalidString(error.reason, column: start + error.offset + 1)
    }
  }

  private mutating func parseIndex() throws(PathError) -> Int64 {
    let start = offset
    while try byte() != UInt8(ascii: "]") { offset += 1 }
    let digits = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let integer = Int64(digits), String(integer) == digits else {
      throw .invalidIndex(column: start + 1)
    }
    return integer
  }

  private mutating func pass(_ expected: UInt8) throws(PathError) {
    guard try byte() == expected else { throw unexpectedByte() }
    offset += 1
  }

  private func byte() throws(PathError) -> UInt8 {
    guard offset < bytes.count else { throw .unexpectedEnd(column: offset + 1) }
    return bytes[offset]
  }

  private func unexpectedByte() -> PathError {
    .unexpectedByte(bytes[offset], column: offset + 1)
  }
}
