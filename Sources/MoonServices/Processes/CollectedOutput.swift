import Moonwire
import Synchronization

/// The output of a process, up to a limit on both streams together.
final class CollectedOutput: Sendable {
  private struct Contents {
    var output: [UInt8] = []
    var errors: [UInt8] = []
  }

  private let contents = Mutex(Contents())
  private let program: String
  private let bytesMax: Int

  init(of program: String, max: Int) {
    self.program = program
    bytesMax = max
  }

  /// Returns the maximum size of both outputs together for a limit on answers: it leaves room for
  /// the other fields.
  static func bytesMax(inAnswersOf answerBytesMax: Int) -> Int { max(0, answerBytesMax - 1024) }

  func addOutput(_ piece: [UInt8]) throws(ProcessFailure) {
    try contents.withLock { contents throws(ProcessFailure) in
      contents.output += piece
      try check(contents)
    }
  }

  func addErrors(_ piece: [UInt8]) throws(ProcessFailure) {
    try contents.withLock { contents throws(ProcessFailure) in
      contents.errors += piece
      try check(contents)
    }
  }

  private func check(_ contents: Contents) throws(ProcessFailure) {
    guard contents.output.count + contents.errors.count <= bytesMax else {
      throw .outputTooLarge(program, max: bytesMax)
    }
  }

  /// The output and the errors as fields of a result.
  var fields: [(name: String, content: ServiceResult)] {
    contents.withLock { [("output", .bytes($0.output)), ("errors", .bytes($0.errors))] }
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
