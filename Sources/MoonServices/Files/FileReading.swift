import Glibc
import MoonFiles
import Moonwire

/// The functions that change nothing.
enum FileReading {
  /// The maximum number of entries of a directory that can be listed.
  static let entryCountMax = 20_000

  static let functions: [ServiceFunction] = [
    .asynchronous(
      "read", "Returns the contents of a file.", .string("path"),
      .option(.choice("as", ["text", "bytes"], "Text must be UTF-8"), or: "text"),
      .option(.integer("max", in: 0...Int.max, "The largest file to read, in bytes")),
      returns: "string"
    ) { call, path, form, max in
      let files = GrantedFiles(call)
      let (bytes, share) = try read(
        files.open(try files.path(path), for: .read),
        max: min(max ?? .max, call.surroundings.answerBytesMax), in: call.memory)
      if form == "text", String(validating: bytes, as: UTF8.self) == nil {
        throw FileFailure.notText(path)
      }
      return .bytes(bytes).held(by: share)
    },
    .asynchronous(
      "list", "Returns the entries of a directory, sorted by the bytes of their names.",
      .string("path"), returns: "{name, kind, size, modified}[]"
    ) { call, path in
      let files = GrantedFiles(call)
      // 20,000 entries take a quarter of a second of a processor.
      return .list(
        try call.computing { try entries(of: files.open(try files.path(path), for: .read)) })
    },
    .asynchronous(
      "info", "Returns what is known about a file or directory; nil if there is none.",
      .string("path"), returns: "{kind, size, modified, permissions}"
    ) { call, path in
      guard let file = try openIfThere(call, path) else { return .nothing }
      let permissions = String(file.status.permissions, radix: 8)
      return .fields(fields(of: file.status) + [("permissions", .string(permissions))])
    },
    .asynchronous(
      "exists", "Returns whether there is a file or directory.", .string("path"),
      returns: "boolean"
    ) { call, path in
      .boolean(try openIfThere(call, path) != nil)
    },
  ]

  /// Opens what a path leads to; nil if nothing is there.
  private static func openIfThere(_ call: ServiceCall, _ path: String) throws -> OpenFile? {
    let files = GrantedFiles(call)
    do {
      return try files.open(try files.path(path), for: .read)
    } catch FileFailure.notFound, FileFailure.notDirectory {
      return nil
    }
  }

  private static func read(
    _ file: consuming OpenFile, max: Int, in memory: HeldMemory
  ) throws -> ([UInt8], HeldMemory.Share?) {
    try file.requireFile()
    let path = file.path.text
    guard file.status.size <= max else { throw FileFailure.tooLarge(path, max: max) }
    let size = file.status.size
    var share = try memory.hold(size)
    let descriptor = try file.reopened(O_RDONLY)
    do {
      // One more byte, because the file may be growing.
      let bytes = try descriptor.read(max: max + 1)
      guard bytes.count <= max else { throw FileFailure.tooLarge(path, max: max) }
      try memory.hold(bytes.count, growingBy: bytes.count - size, in: &share)
      return (bytes, share)
    } catch let error as SystemError {
      throw FileFailure(error, path)
    }
  }

  private static func entries(of file: consuming OpenFile) throws -> [ServiceResult] {
    let path = file.path.text
    guard file.status.kind == .directory else { throw FileFailure.notDirectory(path) }
    let directory = try file.reopened(O_RDONLY | O_DIRECTORY)
    do {
      let names = try directory.names(max: entryCountMax)
      return try names.compactMap { name in
        try Task.checkCancellation()
        // An entry may be gone by now.
        guard let status = try? FileStatus(of: name, in: directory.number) else { return nil }
        return .fields([("name", .bytes(name.bytes))] + fields(of: status))
      }
    } catch let error as SystemError {
      throw error.code == EOVERFLOW
        ? FileFailure.tooManyEntries(path, max: entryCountMax) : FileFailure(error, path)
    }
  }

  private static func fields(of status: FileStatus) -> [(name: String, content: ServiceResult)] {
    [
      ("kind", .string(word(for: status.kind))),
      ("size", status.kind == .regular ? .integer(status.size) : .nothing),
      ("modified", .number(Double(status.modificationTime) / 1e9)),
    ]
  }

  private static func word(for kind: FileKind) -> String {
    switch kind {
    case .regular: "file"
    case .directory: "directory"
    case .symbolicLink: "link"
    case .special: "other"
    }
  }
}
