import CMoonLua
import Glibc

/// The lines of scripts that run, in all machines of the process that are made while it counts.
package enum LineCoverage {
  /// Begins or ends counting.
  package static func set(_ isOn: Bool) { moon_coverage_set(isOn) }

  /// Returns how often each line has run, by file and line.
  package static func counts() -> [String: [Int: UInt32]] {
    var counts: [String: [Int: UInt32]] = [:]
    withUnsafeMutablePointer(to: &counts) { counts in
      moon_coverage_read(
        { context, file, line, count in
          guard let context, let file else { return }
          let counts = context.assumingMemoryBound(to: [String: [Int: UInt32]].self)
          counts.pointee[String(cString: file), default: [:]][Int(line)] = count
        }, counts)
    }
    return counts
  }

  /// Returns the lines of a text that hold code; nil if it doesn't compile.
  package static func codeLines(of source: [UInt8]) -> Set<Int>? {
    var size = 0
    // The first line may be for the shell.
    let isForShell = source.first == UInt8(ascii: "#")
    let text = isForShell ? Array("--".utf8) + source : source
    let bytes = text.withUnsafeBytes { text in
      moon_compiled(text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, nil, &size)
    }
    guard let bytes else { return nil }
    defer { free(bytes) }
    var code = CompiledCode(Array(UnsafeBufferPointer(start: bytes, count: size)))
    return code.lines()
  }
}

/// Code that Lua 5.4 has compiled, as its function `string.dump` writes it.
struct CompiledCode {
  private let bytes: [UInt8]
  private var at = 0
  private var isCut = false

  /// The bytes before the first function.
  private static let headerLength = 32
  private static let instructionLength = 4
  /// The number in place of a line's distance whose line is in a list of its own.
  private static let absolute = Int8.min
  /// The deepest nesting of functions, which Lua limits as well.
  private static let depthMax = 250

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the lines of all instructions, apart from the returns that end functions; nil if the
  /// code has another form.
  mutating func lines() -> Set<Int>? {
    guard bytes.starts(with: [0x1B, 0x4C, 0x75, 0x61, 0x54, 0]) else { return nil }
    at = Self.headerLength
    var lines: Set<Int> = []
    readFunction(&lines, depth: 0)
    return isCut ? nil : lines
  }

  private mutating func byte() -> UInt8 {
    guard at < bytes.count else {
      isCut = true
      return 0x80
    }
    defer { at += 1 }
    return bytes[at]
  }

  /// Reads a number in groups of seven bits, the last of which has the eighth bit.
  private mutating func number() -> Int {
    var number = 0
    while !isCut {
      let next = byte()
      guard number < 1 << 48 else {
        isCut = true
        return 0
      }
      number = number << 7 | Int(next & 0x7F)
      if next & 0x80 != 0 { break }
    }
    return number
  }

  private mutating func skip(_ count: Int) {
    guard count <= bytes.count - at else {
      isCut = true
      return
    }
    at += count
  }

  private mutating func skipText() { skip(max(0, number() - 1)) }

  /// Calls a function as often as the next number says.
  private mutating func forEach(_ body: (inout CompiledCode) -> Void) {
    var left = number()
    while left > 0, !isCut {
      body(&self)
      left -= 1
    }
  }

  private mutating func readFunction(_ lines: inout Set<Int>, depth: Int) {
    guard depth < Self.depthMax else {
      isCut = true
      return
    }
    skipText()
    let begin = number()
    _ = number()
    _ = byte()
    let isVariadic = byte() != 0
    _ = byte()
    skip(number() * Self.instructionLength)
    forEach { code in code.skipConstant() }
    forEach { code in code.skip(3) }
    var left = number()
    while left > 0, !isCut {
      readFunction(&lines, depth: depth + 1)
      left -= 1
    }
    readLines(from: begin, isVariadic: isVariadic, &lines)
    forEach { code in
      code.skipText()
      _ = code.number()
      _ = code.number()
    }
    forEach { code in code.skipText() }
  }

  private mutating func skipConstant() {
    switch byte() {
    case 0x13, 0x03: skip(8)
    case 0x04, 0x14: skipText()
    default: break
    }
  }

  private mutating func readLines(
    from begin: Int, isVariadic: Bool, _ lines: inout Set<Int>
  ) {
    let count = number()
    guard count <= bytes.count - at else {
      isCut = true
      return
    }
    let distances = bytes[at..<at + count].map { Int8(bitPattern: $0) }
    at += count
    var absolute: [Int: Int] = [:]
    forEach { code in
      let instruction = code.number()
      absolute[instruction] = code.number()
    }
    var line = begin
    for (index, distance) in distances.enumerated() {
      line = distance == Self.absolute ? absolute[index] ?? line : line + Int(distance)
      // The first prepares the arguments of a variadic function, the last returns from any.
      if (index > 0 || !isVariadic) && index + 1 < count { lines.insert(line) }
    }
  }
}
