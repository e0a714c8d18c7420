package import MoonValues

/// An image that comes with the card, as a `data:` URL.
///
/// It is a PNG, which terminals that show images can read. Other images, and those that would have
/// to be fetched, are shown as their texts.
package struct CardImage: Equatable, Sendable {
  /// The bytes of the image in Base64; nothing but letters, digits, `+`, `/` and `=`.
  package let base64: Text
  /// Its size in pixels.
  package let width: Int
  package let height: Int
  /// The width in columns that the card asks for, and the screen has room for; nil leaves it as
  /// wide as it is.
  var columnCount: Int?
  /// Its number among the card's images, from 1; 0 if it isn't seen.
  package internal(set) var number = 0

  /// The maximum number of pixels on each side.
  private static let sideMax: UInt32 = 10_000
  private static let prefix = "data:image/png;base64,"

  /// Reads a URL; nil if it isn't the `data:` URL of a PNG.
  ///
  /// - Complexity: O(length of the URL).
  init?(_ url: Text) {
    guard url.hasPrefix(Text(Self.prefix)) else { return nil }
    let base64 = url.string.dropFirst(Self.prefix.count)
    let isClean = base64.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
        UInt8(ascii: "="):
        true
      default: false
      }
    }
    guard isClean, base64.utf8.count.isMultiple(of: 4), let size = Self.size(base64) else {
      return nil
    }
    (self.base64, width, height) = (Text(String(base64)), size.width, size.height)
  }

  /// Returns the size in pixels, from the first chunk of a PNG.
  ///
  /// Source: Portable Network Graphics (PNG) Specification, sections 5.2 and 11.2.2.
  private static func size(_ base64: Substring) -> (width: Int, height: Int)? {
    let header: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    ]
    let bytes = bytes(base64.utf8.prefix(32))
    guard bytes.count == 24, bytes.starts(with: header) else { return nil }
    let sides = [16, 20].map { start in
      bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    guard sides.allSatisfy({ 1...sideMax ~= $0 }) else { return nil }
    return (Int(sides[0]), Int(sides[1]))
  }

  /// Returns the bytes of Base64 without padding.
  ///
  /// Source: RFC 4648, section 4.
  private static func bytes(_ base64: Substring.UTF8View.SubSequence) -> [UInt8] {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for letter in base64 {
      let six: UInt8
      switch letter {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): six = letter - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): six = letter - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): six = letter - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): six = 62
      case UInt8(ascii: "/"): six = 63
      default: return bytes
      }
      (bits, count) = (bits << 6 | UInt32(six), count + 6)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }
}

extension CardImage {
  /// The sizes of Adaptive Cards.
  enum Size: String, CaseIterable { case auto, stretch, small, medium, large }

  /// Takes the size that the card asks for; `width` is one in pixels, such as `40px`.
  mutating func take(_ size: Size, width: Text?) {
    columnCount =
      switch size {
      case .auto: nil
      case .stretch: .max
      case .small: 5
      case .medium: 10
      case .large: 20
      }
    guard let width = width?.string, width.hasSuffix("px"),
      let pixels = Int(width.dropLast(2)), pixels > 0
    else { return }
    columnCount = max(1, pixels / Column.Width.pixelsPerCharacter)
  }
}
