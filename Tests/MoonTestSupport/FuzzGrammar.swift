/// The parts from which random texts are made.
package struct FuzzGrammar: Sendable {
  /// Complete texts that are valid, or nearly.
  let seeds: [[UInt8]]
  /// Pieces with a meaning.
  let pieces: [[UInt8]]

  package init(seeds: [String], pieces: [String]) {
    self.seeds = seeds.map { Array($0.utf8) }
    self.pieces = pieces.map { Array($0.utf8) } + Self.nasty
  }

  /// Bytes that are invalid in most places.
  package static let nasty: [[UInt8]] = [
    [0], [0x7F], [0x80], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
    Array("é".utf8), Array("e\u{301}".utf8), Array("👩‍👩‍👧".utf8), Array("\u{FEFF}".utf8),
    Array("\r\n".utf8),
  ]

  /// Makes a text: a seed with a few changes, or a sequence of pieces.
  package func text(_ random: inout SplitMix64) -> [UInt8] {
    if random.once(in: 4) {
      return (0..<random.below(random.once(in: 10) ? 300 : 14)).flatMap { _ in random.pick(pieces) }
    }
    var bytes = random.pick(seeds)
    for _ in 0..<random.below(5) { change(&bytes, &random) }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let place = random.below(bytes.count + 1)
    switch random.below(8) {
    case 0: bytes.insert(contentsOf: random.pick(pieces), at: place)
    case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.below(5)))
    case 2: bytes.removeSubrange(place...)
    case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
    case 4 where place < bytes.count: bytes[place] = UInt8(random.below(256))
    case 5:
      // The end of another text.
      let other = random.pick(seeds)
      bytes.replaceSubrange(place..., with: other[random.below(other.count + 1)...])
    case 6:
      // A part is repeated, perhaps often, to reach limits.
      let end = min(bytes.count, place + random.below(12))
      let part = Array(bytes[place..<end])
      for _ in 0..<random.pick([1, 1, 2, 40, 300]) { bytes.insert(contentsOf: part, at: place) }
    default: bytes.insert(contentsOf: random.pick(pieces), at: bytes.count)
    }
  }
}
