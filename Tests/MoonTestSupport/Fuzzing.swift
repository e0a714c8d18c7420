import Foundation

/// Runs a check on many random cases: a few thousand with a fixed seed as an ordinary test, as many
/// as fit into a time when `scripts/fuzz/run` asks for more.
///
/// Its wishes come in the environment: `MOON_FUZZ_SECONDS`, `MOON_FUZZ_SEED`, and in
/// `MOON_FUZZ_FOLDER` a folder for the case that is under way, so that one that ends the process is
/// known.
package struct Fuzzing {
  /// How long one case may take when time is measured, whatever it is: a case has at most some
  /// kilobytes, and every parser is linear in them.
  package static let caseSecondsMax = 2.0

  private let name: String
  private let cases: Int
  private let seed: UInt64
  private let seconds: Double?
  private let folder: String?

  /// Says how many cases a test runs.
  package init(_ name: String, cases: Int) {
    let wishes = ProcessInfo.processInfo.environment
    self.name = name
    self.cases = cases
    seed = wishes["MOON_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    seconds = wishes["MOON_FUZZ_SECONDS"].flatMap { Double($0) }
    folder = wishes["MOON_FUZZ_FOLDER"]
  }

  /// Makes cases and checks each, up to the first bad one.
  ///
  /// - Parameters:
  ///   - make: Makes a case's bytes.
  ///   - check: Says what is wrong with one, nil if nothing is.
  /// - Returns: What is wrong with the first bad case; nil if all are good.
  package func firstFailure(
    make: (inout SplitMix64) -> [UInt8], check: ([UInt8], inout SplitMix64) -> String?
  ) -> String? {
    let clock = ContinuousClock()
    let begun = clock.now
    let file = folder.map { FileManager.default.fileOrNew("\($0)/\(name).case") } ?? nil
    var number = 0
    while seconds.map({ begun.duration(to: clock.now) < .seconds($0) }) ?? (number < cases) {
      // Each case follows from its number alone, and can be repeated alone.
      var random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number))
      let bytes = make(&random)
      if let file {
        try? file.truncate(atOffset: 0)
        try? file.write(contentsOf: Data(bytes))
      }
      let caseBegun = clock.now
      if let failure = check(bytes, &random) {
        return "\(name), seed \(seed), case \(number): \(failure)\n  \(Self.shown(bytes))"
      }
      if seconds != nil, caseBegun.duration(to: clock.now) > .seconds(Self.caseSecondsMax) {
        return "\(name), seed \(seed), case \(number) took too long\n  \(Self.shown(bytes))"
      }
      number += 1
    }
    if seconds != nil { print("\(name): \(number) cases hold (seed \(seed))") }
    return nil
  }

  /// Bytes as a literal that can be pasted into a test.
  private static func shown(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text.debugDescription }
    return "\(bytes)"
  }
}

extension FileManager {
  fileprivate func fileOrNew(_ path: String) -> FileHandle? {
    guard createFile(atPath: path, contents: nil) else { return nil }
    return FileHandle(forWritingAtPath: path)
  }
}
