import Moonwire
import Synchronization

/// The output of a process, up to a limit on both streams together.
final class CollectedOutput: Sendable {
  private struct Contents {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    /// What holds both for the module.
    var share: HeldMemory.Share?

    var count: Int { output.count + errors.count }
  }

  private let contents = Mutex(Contents())
  private let program: String
  private let bytesMax: Int
  private let memory: HeldMemory

  init(of program: String, max: Int, in memory: HeldMemory) {
    self.program = program
    self.memory = memory
    bytesMax = max
  }

  /// Returns the maximum size of both outputs together for a limit on answers: it leaves room for
  /// the other fields.
  static func bytesMax(inAnswersOf answerBytesMax: Int) -> Int { max(0, answerBytesMax - 1024) }

  /// - Throws: ``ProcessFailure``, `ServiceRefusal`.
  func addOutput(_ piece: [UInt8]) throws { try add(piece) { $0.output += piece } }

  /// - Throws: ``ProcessFailure``, `ServiceRefusal`.
  func addErrors(_ piece: [UInt8]) throws { try add(piece) { $0.errors += piece } }

  private func add(
    _ piece: [UInt8], _ append: (inout Contents) -> Void
  ) throws {
    try contents.withLock { contents in
      guard piece.count <= bytesMax - contents.count else {
        throw ProcessFailure.outputTooLarge(program, max: bytesMax)
      }
      try memory.hold(contents.count + piece.count, growingBy: piece.count, in: &contents.share)
      append(&contents)
    }
  }

  /// Returns the result with these fields, the output and the errors.
  func result(with fields: [(name: String, content: ServiceResult)]) -> ServiceResult {
    contents.withLock {
      .fields(fields + [("output", .bytes($0.output)), ("errors", .bytes($0.errors))])
        .held(by: $0.share)
    }
  }
}

/// The end of a process's standard error, for the text of a failure.
final class LastErrors: Sendable {
  /// The number of bytes kept.
  static let bytesMax = 500

  private let contents = Mutex<[UInt8]>([])

  func add(_ piece: [UInt8]) {
    contents.withLock { $0 = ($0 + piece).suffix(Self.bytesMax) }
  }

  /// The last lines on one line; bytes that aren't UTF-8 are replaced.
  var text: String {
    let bytes = contents.withLock { $0 }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .joined(separator: "; ")
  }
}
