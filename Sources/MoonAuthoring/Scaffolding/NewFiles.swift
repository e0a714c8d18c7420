import Glibc
package import Moonwire

/// A file to be made.
package struct NewFile: Sendable, Equatable {
  /// The path below a directory.
  package let path: String
  package let bytes: [UInt8]

  package init(_ path: String, _ bytes: [UInt8]) {
    (self.path, self.bytes) = (path, bytes)
  }
}

/// Files that are made together: all of them, or none.
package struct NewFiles: Sendable {
  private let files: [NewFile]

  package init(_ files: [NewFile]) { self.files = files }

  /// Makes the files below a directory, with the folders that are missing.
  ///
  /// No file is replaced. After an error, everything that was made is removed again.
  ///
  /// - Throws: ``NewFilesError``
  package func write(into directory: String) throws(NewFilesError) {
    var made: [String] = []
    do throws(NewFilesError) {
      try Self.makeFolder(directory, noting: &made)
      for file in files {
        if let slash = file.path.lastIndex(of: "/") {
          try Self.makeFolder("\(directory)/\(file.path[..<slash])", noting: &made)
        }
        try Self.write(file.bytes, to: "\(directory)/\(file.path)", noting: &made)
      }
    } catch {
      for path in made.reversed() { remove(path) }
      throw error
    }
  }

  /// Makes a folder and its missing parents.
  private static func makeFolder(
    _ path: String, noting made: inout [String]
  ) throws(NewFilesError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw NewFilesError(path, SystemError(code: ENOTDIR))
      }
      return
    }
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try makeFolder(String(path[..<slash]), noting: &made)
    }
    if mkdir(path, 0o777) == 0 {
      made.append(path)
    } else if errno != EEXIST {
      throw NewFilesError(path, .latest)
    }
  }

  private static func write(
    _ bytes: [UInt8], to path: String, noting made: inout [String]
  ) throws(NewFilesError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw NewFilesError(path, .latest) }
    made.append(path)
    var failure: SystemError?
    var rest = bytes[...]
    while failure == nil, !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        failure = .latest
      }
    }
    // Some file systems notice only now that they are full.
    if close(descriptor) != 0, failure == nil { failure = .latest }
    if let failure { throw NewFilesError(path, failure) }
  }
}

/// The reason that files weren't made.
package struct NewFilesError: Error, Equatable {
  /// The file or folder that couldn't be made.
  package let path: String
  package let cause: SystemError

  package init(_ path: String, _ cause: SystemError) {
    (self.path, self.cause) = (path, cause)
  }
}

extension NewFilesError: CustomStringConvertible {
  /// One sentence.
  package var description: String {
    cause.code == EEXIST ? "\(path) exists" : "\(path) can't be made: \(cause)"
  }
}
