import MoonValues

/// The parts of components that hold parameters: each parameter's type, and the text after it.
///
/// The text before the first parameter isn't among them; whoever matches a component has checked
/// it. The parts of equal components are stored once.
struct ComponentParts {
  /// A parameter and the text that follows it.
  struct Part: Hashable {
    /// Where the text is in the bytes of ``ComponentParts``.
    var textOffset: UInt32
    var textCount: UInt16
    var type: ParameterType
  }

  private(set) var all: [Part] = []
  private(set) var bytes: [UInt8] = []
  private var starts: [[Key]: Int] = [:]

  private struct Key: Hashable {
    let text: Text
    let type: ParameterType
  }

  /// A copy without spare capacity, for a trie that is complete.
  var compacted: ComponentParts {
    var copy = ComponentParts()
    (copy.all, copy.bytes) = (all.compacted, bytes.compacted)
    return copy
  }

  /// Returns where the parts of a component with these parameters are.
  mutating func range(of parameters: [RoutePattern.Parameter]) -> Range<Int> {
    let keys = parameters.indices.map { index in
      let isLast = index + 1 == parameters.count
      return Key(
        text: isLast ? parameters[index].suffix : parameters[index + 1].prefix,
        type: parameters[index].type)
    }
    if let start = starts[keys] { return start..<(start + keys.count) }
    let start = all.count
    starts[keys] = start
    for key in keys {
      all.append(
        Part(
          textOffset: UInt32(bytes.count), textCount: UInt16(key.text.utf8Count), type: key.type))
      key.text.withUTF8 { bytes.append(contentsOf: $0) }
    }
    return start..<all.count
  }
}

/// The division of a component into the values of its parameters.
///
/// Each value is as short as possible, from left to right. A value can't end within an escape: a
/// text begins with a digit or a letter only after a type, and no type takes a part of an escape.
struct ComponentDivision {
  /// The maximum number of places at which texts between parameters are tried in one component.
  ///
  /// It only matters where values that are too short aren't of their type.
  static let trialCountMax = 256

  private let bytes: UnsafeBufferPointer<UInt8>
  private let parts: ArraySlice<ComponentParts.Part>
  private let texts: UnsafeBufferPointer<UInt8>
  private let plus: PlusRule
  private var trialCount = 0
  /// Where the values are in the bytes.
  private(set) var values: [Range<Int>] = []

  /// Divides a range of bytes; nil if the parts don't take it.
  init?(
    of range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>,
    _ parts: ArraySlice<ComponentParts.Part>, _ texts: UnsafeBufferPointer<UInt8>,
    _ plus: PlusRule
  ) {
    (self.bytes, self.parts, self.texts, self.plus) = (bytes, parts, texts, plus)
    // What fails at the end needn't be tried.
    guard let last = parts.last, end(of: range, text(last)) != nil,
      divide(range, from: parts.startIndex)
    else { return nil }
  }

  /// Returns whether one part takes a range of bytes.
  ///
  /// It is faster than a division, which notes the values.
  static func accepts(
    _ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, _ part: ComponentParts.Part,
    _ texts: UnsafeBufferPointer<UInt8>, _ plus: PlusRule
  ) -> Bool {
    let start = Int(part.textOffset)
    let text = texts.slice(start..<(start + Int(part.textCount)))
    guard let end = end(of: range, text, in: bytes) else { return false }
    return accepts(range.lowerBound..<end, in: bytes, part.type, plus)
  }

  private mutating func divide(_ range: Range<Int>, from index: Int) -> Bool {
    let part = parts[index]
    let text = text(part)
    if index + 1 == parts.endIndex {
      guard let end = end(of: range, text) else { return false }
      return take(range.lowerBound..<end, part)
    }
    var end = range.lowerBound + 1
    while end + text.count < range.upperBound {
      defer { end += 1 }
      guard bytes[end] == text[0], bytes[end..<(end + text.count)].elementsEqual(text) else {
        continue
      }
      trialCount += 1
      guard trialCount <= Self.trialCountMax else { return false }
      guard take(range.lowerBound..<end, part) else { continue }
      if divide((end + text.count)..<range.upperBound, from: index + 1) { return true }
      values.removeLast()
    }
    return false
  }

  private mutating func take(_ range: Range<Int>, _ part: ComponentParts.Part) -> Bool {
    guard Self.accepts(range, in: bytes, part.type, plus) else { return false }
    values.append(range)
    return true
  }

  private func text(_ part: ComponentParts.Part) -> UnsafeBufferPointer<UInt8> {
    texts.slice(Int(part.textOffset)..<(Int(part.textOffset) + Int(part.textCount)))
  }

  private func end(of range: Range<Int>, _ text: UnsafeBufferPointer<UInt8>) -> Int? {
    Self.end(of: range, text, in: bytes)
  }

  /// Returns where a text at the end of a range begins; nil if it isn't there, or nothing is before
  /// it.
  private static func end(
    of range: Range<Int>, _ text: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    let end = range.upperBound - text.count
    guard end > range.lowerBound else { return nil }
    if text.isEmpty { return end }
    return bytes[end..<range.upperBound].elementsEqual(text) ? end : nil
  }

  private static func accepts(
    _ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, _ type: ParameterType,
    _ plus: PlusRule
  ) -> Bool {
    guard type != .text else { return !range.isEmpty }
    let value = bytes.slice(range)
    if value.contains(where: { $0 == .percent || $0 == .plus }) {
      return PercentCoding.withDecoded(value, plus: plus) { type.accepts($0) }
    }
    return type.accepts(value)
  }
}
