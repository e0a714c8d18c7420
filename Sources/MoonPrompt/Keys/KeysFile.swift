import Glibc
package import Moonwire

/// The file with a person's keys, outside the script directories.
///
/// It is one JSON object: for each script directory, what keys do. `null` switches a key off:
///
/// ```json
/// {"/srv/app": {"ctrl+n": "todo/add", "g i": "/inbox", "ctrl+d": null}}
/// ```
package struct KeysFile: Sendable {
  /// The maximum size of the file in bytes.
  static let byteCountMax = 1 << 20
  /// The maximum number of keys for a directory.
  static let countMax = 1_000

  /// The path.
  package let path: String
  /// The script directory.
  private let directory: String
  /// Whether the file was named, and so must exist.
  private let isNamed: Bool

  /// Finds the file for a script directory; nil if there is no place for it.
  ///
  /// Without a name, it is that of the person who runs the program.
  package init?(named name: String? = nil, for directory: String) {
    let found = PersonalFile.path(
      "keys.json", variable: "MOONWIRE_KEYS", in: ProcessEnvironment.variables)
    guard let path = name ?? found else { return nil }
    self.path = path
    self.directory = directory
    isNamed = name != nil
  }

  /// The rules that keep modules from writing the file, whatever they may write otherwise.
  package var denials: [Grants.Rule] { PersonalFile.denials(of: path) }

  /// Gives a host the keys in the file; none if there is no file.
  ///
  /// - Throws: ``KeysFileError``; the host's keys are then unchanged.
  package func update(_ host: Host) async throws(KeysFileError) {
    let keys = try keys()
    await host.perform { KeyTable.setPersonal(keys, on: $0) }
  }

  private func keys() throws(KeysFileError) -> [KeyBinding] {
    let all = try contents()
    var bindings: [KeyBinding] = []
    for key in PersonalFile.keys(for: directory, in: all) {
      guard let entries = all[key]?.mapValue else { throw .notATable("\(key)") }
      guard entries.count <= Self.countMax else { throw .tooMany(entries.count) }
      for (name, value) in entries { bindings.append(try binding("\(name)", value)) }
    }
    return bindings
  }

  private func binding(_ text: String, _ value: Value) throws(KeysFileError) -> KeyBinding {
    let keys: KeySequence
    do throws(KeyError) { keys = try KeySequence(parsing: text) } catch { throw .key(text, error) }
    let place = SourcePlace(file: path, line: 0)
    if value == .null { return KeyBinding(keys, nil, place: place) }
    guard let target = KeyTarget(value, owner: nil) else { throw .notATarget(text) }
    return KeyBinding(keys, target, place: place)
  }

  private func contents() throws(KeysFileError) -> Map {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.bytes(of: path, upTo: Self.byteCountMax)
    } catch {
      switch error.code {
      case ENOENT where !isNamed: return Map()
      case EFBIG: throw .tooLong
      default: throw .system(error)
      }
    }
    let value: Value
    do throws(ParseError) {
      value = try Value(parsing: bytes.withoutByteOrderMark)
    } catch {
      throw .notJSON(error)
    }
    guard let map = value.mapValue else { throw .notATable("the file") }
    return map
  }
}

/// The reason that the file of keys can't be read.
package enum KeysFileError: Error, Equatable {
  /// The system refuses.
  case system(SystemError)
  /// The file is too long.
  case tooLong
  /// There are too many keys for the directory.
  case tooMany(Int)
  /// The file isn't JSON.
  case notJSON(ParseError)
  /// A table is something else.
  case notATable(String)
  /// A text isn't a key.
  case key(String, KeyError)
  /// What stands for a key is nothing that a key can do.
  case notATarget(String)
}

extension KeysFileError: CustomStringConvertible {
  /// One phrase: what is wrong, and the correct form.
  package var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .tooLong: "it is longer than \(KeysFile.byteCountMax >> 20) MB"
    case .tooMany(let count):
      "it has \(count) keys for this directory, and may have \(KeysFile.countMax)"
    case .notJSON(let error): "it isn't JSON: \(error)"
    case .notATable(let name):
      "'\(name)' must hold a table: {\"DIRECTORY\": {\"ctrl+n\": \"todo/add\"}}"
    case .key(let text, let error): "'\(text)' is no key: \(error)"
    case .notATarget(let text):
      "'\(text)' must be an action such as todo/add, a URL, an action with a payload, or null"
    }
  }
}
