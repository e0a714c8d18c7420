import Glibc
import MoonServices
package import Moonwire

/// A module of somebody else in the directory of an app, as `moonwire.lock` records it.
package struct AddedModule: Sendable, Equatable {
  package let name: ModuleName
  /// What the module is called at its origin; nil if it has the same name there.
  package let originalName: ModuleName?
  /// The origin as a text; a path begins in the app's directory.
  package let origin: String
  /// The branch, tag or commit that was asked for.
  package let asked: String?
  /// The commit, or the hash of the archive; nil for files of this machine.
  package let revision: String?
  /// The SHA-256 of each file, by its path in the app's directory.
  package let files: [String: String]

  /// The SHA-256 of all that ``files`` says.
  package func hash() throws(PackagesError) -> String {
    try Self.hash(Array(Value.map(filesValue).canonicalText.utf8))
  }

  fileprivate var filesValue: Map {
    Map(files.map { (.string(Text($0.key)), .string(Text($0.value))) })
  }

  /// Returns the SHA-256 of bytes, in hexadecimal digits.
  static func hash(_ bytes: [UInt8]) throws(PackagesError) -> String {
    do throws(CryptoFailure) {
      return try SHA2.sha256.digits(of: bytes)
    } catch {
      throw .noHash("\(error)")
    }
  }
}

/// The file `moonwire.lock` of an app: the modules of others, where they come from, and what they
/// were.
package struct ModuleLock: Sendable, Equatable {
  static let fileName = "moonwire.lock"
  /// The version of the format.
  static let format: Int64 = 1
  /// The maximum number of bytes of the file.
  static let byteCountMax = 4 << 20

  package var modules: [ModuleName: AddedModule] = [:]

  /// Reads the file of a directory; without one, there are no modules of others.
  ///
  /// - Throws: ``PackagesError``
  package init(of directory: String) throws(PackagesError) {
    let path = "\(directory)/\(Self.fileName)"
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.bytes(of: path, upTo: Self.byteCountMax)
    } catch {
      if error.code == ENOENT { return }
      throw .unreadable(path, error)
    }
    do throws(LockFault) {
      modules = try Self.modules(bytes)
    } catch {
      throw .lock(path, error)
    }
  }

  private static func modules(_ bytes: [UInt8]) throws(LockFault) -> [ModuleName: AddedModule] {
    let value: Value
    do throws(ParseError) { value = try Value(parsing: bytes) } catch { throw .notJSON(error) }
    guard let format = value["format"]?.intValue, format > 0 else { throw .lacks("format") }
    guard format <= Self.format else { throw .newer(format) }
    guard let entries = value["modules"]?.mapValue else { throw .lacks("modules") }
    var modules: [ModuleName: AddedModule] = [:]
    for (key, entry) in entries {
      guard let name = ModuleName("\(key)") else { throw .notAName("\(key)") }
      modules[name] = try AddedModule(reading: entry, name)
    }
    return modules
  }

  /// The text of the file: JSON with sorted keys, and a line for each fact, so that a comparison
  /// shows what has changed.
  func text() throws(PackagesError) -> String {
    var entries: [String] = []
    for module in modules.values.sorted(by: { $0.name < $1.name }) {
      entries.append("    \(Self.quoted(module.name.text)): {\n\(try lines(of: module))\n    }")
    }
    let body = entries.isEmpty ? "{}" : "{\n\(entries.joined(separator: ",\n"))\n  }"
    return "{\n  \"format\": \(Self.format),\n  \"modules\": \(body)\n}\n"
  }

  private func lines(of module: AddedModule) throws(PackagesError) -> String {
    let files = module.files.sorted { $0.key < $1.key }.map { path, hash in
      "        \(Self.quoted(path)): \(Self.quoted(hash))"
    }
    let facts = [
      ("asked", module.asked), ("hash", try module.hash()), ("origin", module.origin),
      ("original_name", module.originalName?.text), ("revision", module.revision),
    ]
    var lines = facts.compactMap { name, fact in
      fact.map { "      \"\(name)\": \(Self.quoted($0))" }
    }
    let list = "      \"files\": {\n\(files.joined(separator: ",\n"))\n      }"
    lines.insert(list, at: module.asked == nil ? 0 : 1)
    return lines.joined(separator: ",\n")
  }

  private static func quoted(_ text: String) -> String { Value.string(Text(text)).canonicalText }
}

extension AddedModule {
  fileprivate init(reading entry: Value, _ name: ModuleName) throws(LockFault) {
    guard let origin = entry["origin"]?.stringValue else { throw .lacks("\(name).origin") }
    guard let list = entry["files"]?.mapValue else { throw .lacks("\(name).files") }
    var files: [String: String] = [:]
    for (path, hash) in list {
      guard SourceTree.isInside("\(path)") else { throw .leaves("\(path)") }
      guard let hash = hash.stringValue else { throw .lacks("\(name).files.\(path)") }
      files["\(path)"] = hash
    }
    let original = entry["original_name"]?.stringValue
    let originalName = original.flatMap { ModuleName($0) }
    if let original, originalName == nil { throw .notAName(original) }
    self.init(
      name: name, originalName: originalName, origin: origin, asked: entry["asked"]?.stringValue,
      revision: entry["revision"]?.stringValue, files: files)
    guard let hash = entry["hash"]?.stringValue, hash == (try? self.hash()) else {
      throw .edited(name)
    }
  }
}

/// What is wrong with a file `moonwire.lock`.
package enum LockFault: Error, Equatable {
  /// It isn't JSON; it may have been cut off.
  case notJSON(ParseError)
  /// A newer version of the program has written it, in this format.
  case newer(Int64)
  /// A key is missing, or holds something else.
  case lacks(String)
  /// A key isn't the name of a module.
  case notAName(String)
  /// A path of a file leads out of the app's directory.
  case leaves(String)
  /// The files of a module aren't those that its hash is about.
  case edited(ModuleName)
}
