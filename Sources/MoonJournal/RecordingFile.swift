import Glibc
public import Moonwire
import Synchronization

/// A recording: the records of a journal as lines of JSON, which people can read and other machines
/// can replay.
///
/// It is written only once; to go on with a session, use a ``JournalFile``.
public final class RecordingFile: JournalStore {
  /// The path.
  public let name: String
  private let redaction: Redaction
  private let descriptor: Int32
  private let progress = Mutex(Progress())

  private struct Progress {
    var byteCount = 0
    var stateNumbers: [Int64] = []
    var isClosed = false
  }

  /// Creates a file.
  ///
  /// - Throws: ``JournalError`` if there is a file already, or it can't be created.
  public init(_ path: String, redaction: Redaction = Redaction()) throws(JournalError) {
    name = path
    self.redaction = redaction
    let descriptor = open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, PrivateFile.mode)
    guard descriptor >= 0 else {
      throw JournalError(
        path, errno == EEXIST ? .exists : JournalError.Reason(creating: errno))
    }
    self.descriptor = descriptor
  }

  deinit { close() }

  /// True: a write goes to the system's memory.
  public var appendsBriefly: Bool { true }

  /// The length of the file.
  public var byteCount: Int { progress.withLock { $0.byteCount } }

  /// Appends records as lines, without what the rules leave out.
  ///
  /// - Throws: ``JournalError``; the file is as long as before then.
  public func append(_ records: [JournalRecord]) throws(JournalError) {
    var bytes: [UInt8] = []
    for record in records {
      bytes += redaction.redacted(record.bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    try progress.withLock { progress throws(JournalError) in
      try write(bytes, after: progress.byteCount)
      progress.byteCount += bytes.count
      progress.stateNumbers += records.filter { $0.kind == .state }.map(\.number)
    }
  }

  /// Writes bytes; after a failure the file is as long as before.
  private func write(_ bytes: [UInt8], after length: Int) throws(JournalError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        ftruncate(descriptor, off_t(length))
        throw JournalError(name, JournalError.Reason(errno: code))
      }
      written += count
    }
  }

  /// Nothing, since a recording is read with ``RecordedRun``.
  public func read(
    from number: Int64, _ body: (JournalRecord) -> Bool
  ) throws(JournalError) {}

  /// Returns the numbers of the records of whole states, in order.
  public func stateNumbers() throws(JournalError) -> [Int64] {
    progress.withLock { $0.stateNumbers }
  }

  /// Nothing: a recording keeps all records.
  public func removeRecords(before number: Int64) throws(JournalError) {}

  /// Ends the use of the file.
  public func close() {
    progress.withLock { progress in
      if !progress.isClosed { Glibc.close(descriptor) }
      progress.isClosed = true
    }
  }
}

/// The values that a recording leaves out.
///
/// A rule such as `auth.token` names a place in the state, and the field `token` of the payloads of
/// all actions of module `auth`. The text `(redacted)` takes the place of a value. With any rule,
/// all that durable tasks have learned is left out.
public struct Redaction: Sendable {
  private let paths: [Path]

  /// Makes rules of paths, each with a module and at least one field; none leave nothing out.
  public init(_ paths: [Path] = []) { self.paths = paths }

  private static let replacement: Value = "(redacted)"

  /// Returns the text of a record without the values.
  ///
  /// - Complexity: O(size of the record) if there are rules.
  public func redacted(_ bytes: [UInt8]) -> [UInt8] {
    guard !paths.isEmpty, var record = try? Value(parsing: bytes, limits: .state) else {
      return bytes
    }
    guard case .map(var map) = record else { return bytes }
    // What tasks have learned has no names that a rule could give.
    if map["durable"] != nil { map["durable"] = Self.replacement }
    if var header = map["moonwire"]?.mapValue {
      header["tasks"] = nil
      map["moonwire"] = .map(header)
    }
    if let state = map["state"] { map["state"] = paths.reduce(state, Self.replace) }
    if let action = map["action"] { map["action"] = redacted(action: action) }
    if let actions = map["actions"]?.listValue {
      map["actions"] = .list(List(actions.map(redacted(action:))))
    }
    if let changes = map["changes"]?.listValue {
      map["changes"] = .list(List(changes.map(redacted(change:))))
    }
    record = .map(map)
    var result: [UInt8] = []
    record.writeCanonical(into: &result)
    return result
  }

  private func redacted(action: Value) -> Value {
    guard case .map(var map) = action, let type = map["type"]?.stringValue,
      let payload = map["payload"]
    else { return action }
    let module = type.prefix { $0 != "/" }
    for path in paths where path.components.first == .key(Text(String(module))) {
      map["payload"] = Self.replace(
        in: map["payload"] ?? payload, at: Path(Array(path.components.dropFirst())))
    }
    return .map(map)
  }

  private func redacted(change: Value) -> Value {
    guard let parts = change.listValue, parts.count == 3,
      let steps = parts[1].listValue.map({ $0.compactMap(Self.component) })
    else { return change }
    var value = parts[2]
    for path in paths {
      if steps.starts(with: path.components) {
        value = Self.replacement
      } else if path.components.starts(with: steps) {
        value = Self.replace(in: value, at: Path(Array(path.components.dropFirst(steps.count))))
      }
    }
    return [parts[0], parts[1], value]
  }

  private static func component(_ step: Value) -> Path.Component? {
    switch step {
    case .string(let text): .key(text)
    case .int(let number): .index(number)
    default: nil
    }
  }

  private static func replace(in value: Value, at path: Path) -> Value {
    guard let step = path.components.first else { return replacement }
    let rest = Path(Array(path.components.dropFirst()))
    switch value {
    case .map(var map):
      guard let inner = map[step.mapKey] else { return value }
      map[step.mapKey] = replace(in: inner, at: rest)
      return .map(map)
    case .list(var list):
      guard case .index(let number) = step, let position = Int(exactly: number), position >= 1,
        position <= list.count
      else { return value }
      list[position - 1] = replace(in: list[position - 1], at: rest)
      return .list(list)
    default: return value
    }
  }
}
