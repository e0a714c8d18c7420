import Foundation

/// A check of many random cases.
///
/// As an ordinary test, it runs a few thousand with a fixed seed. `scripts/fuzz/run` asks for more
/// through the environment: `MOON_FUZZ_SECONDS` or `MOON_FUZZ_CASES`, `MOON_FUZZ_SEED`, and in
/// `MOON_FUZZ_FOLDER` a folder for the current case, so that a case that ends the process is known.
package struct Fuzzing {
  /// The maximum time for one case when time is measured.
  ///
  /// A case has at most some kilobytes, and every parser is linear in them.
  package static let caseSecondsMax = 2.0

  private let name: String
  private let cases: Int
  private let seed: UInt64
  private let seconds: Double?
  /// Whether more cases than a test's were requested, and time is measured.
  private let isLong: Bool
  private let caseSecondsMax: Double
  private let file: FileHandle?

  /// Sets the number of cases that a test runs.
  package init(_ name: String, cases: Int, caseSecondsMax: Double = Fuzzing.caseSecondsMax) {
    let wishes = ProcessInfo.processInfo.environment
    let wishedCases = wishes["MOON_FUZZ_CASES"].flatMap { Int($0) }
    self.name = name
    self.cases = wishedCases ?? cases
    self.caseSecondsMax = caseSecondsMax
    seed = wishes["MOON_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    seconds = wishedCases == nil ? wishes["MOON_FUZZ_SECONDS"].flatMap { Double($0) } : nil
    isLong = seconds != nil || wishedCases != nil
    file = wishes["MOON_FUZZ_FOLDER"].flatMap {
      FileManager.default.fileOrNew("\($0)/\(name).case")
    }
  }

  /// Makes cases and checks each, up to the first bad one.
  ///
  /// - Parameters:
  ///   - make: Makes a case's bytes.
  ///   - check: Returns what is wrong with a case; nil if nothing is.
  /// - Returns: What is wrong with the first bad case; nil if all are good.
  package func firstFailure(
    make: (inout SplitMix64) -> [UInt8], check: ([UInt8], inout SplitMix64) -> String?
  ) -> String? {
    var run = Run(self)
    while var one = run.next(make) {
      if let failure = run.verdict(on: one, check(one.bytes, &one.random)) { return failure }
    }
    return nil
  }

  /// Checks cases with a check that waits; see ``firstFailure(make:check:)``.
  package func firstFailure(
    make: (inout SplitMix64) -> [UInt8], check: ([UInt8]) async throws -> String?
  ) async rethrows -> String? {
    var run = Run(self)
    while let one = run.next(make) {
      if let failure = run.verdict(on: one, try await check(one.bytes)) { return failure }
    }
    return nil
  }

  /// Runs one case, which depends on its number alone and can be repeated alone.
  private struct Case {
    let bytes: [UInt8]
    var random: SplitMix64
    let begun: ContinuousClock.Instant
  }

  /// The progress of a run.
  private struct Run {
    let fuzzing: Fuzzing
    let begun = ContinuousClock.now
    var number = 0

    init(_ fuzzing: Fuzzing) { self.fuzzing = fuzzing }

    /// Returns the next case; nil at the end, which a long run reports.
    func next(_ make: (inout SplitMix64) -> [UInt8]) -> Case? {
      let goesOn =
        fuzzing.seconds.map { begun.duration(to: .now) < .seconds($0) } ?? (number < fuzzing.cases)
      guard goesOn else {
        if fuzzing.isLong { print("\(fuzzing.name): \(number) cases hold (seed \(fuzzing.seed))") }
        return nil
      }
      var random = SplitMix64(seed: fuzzing.seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number))
      let bytes = make(&random)
      if let file = fuzzing.file {
        try? file.truncate(atOffset: 0)
        try? file.write(contentsOf: Data(bytes))
      }
      return Case(bytes: bytes, random: random, begun: .now)
    }

    /// Records the result of a case; returns a sentence about it if it is bad.
    mutating func verdict(on one: Case, _ failure: String?) -> String? {
      defer { number += 1 }
      let place = "\(fuzzing.name), seed \(fuzzing.seed), case \(number)"
      if let failure { return "\(place): \(failure)\n  \(Fuzzing.shown(one.bytes))" }
      guard fuzzing.isLong, one.begun.duration(to: .now) > .seconds(fuzzing.caseSecondsMax) else {
        return nil
      }
      return "\(place) took too long\n  \(Fuzzing.shown(one.bytes))"
    }
  }

  /// Returns bytes as a literal that can be pasted into a test.
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
