import Glibc
import MoonFiles
public import Moonwire

/// A JSON file with the settings of modules: `{"weather": {"city": "Rome"}}`.
struct SettingsFile: Sendable {
  /// The path.
  let path: String
  /// The settings of each module.
  private let modules: Map
  private let lines: JSONKeyLines

  /// The maximum size of a file, in bytes.
  static let byteCountMax = 1 << 20

  /// Reads a file.
  ///
  /// - Throws: ``SettingsFileError``.
  init(reading path: String) throws(SettingsFileError) {
    self.path = path
    let bytes = try Self.contents(of: path).withoutByteOrderMark
    let value: Value
    do throws(ParseError) { value = try Value(parsing: bytes) } catch { throw .notJSON(error) }
    guard let modules = value.mapValue else { throw .notATable(nil, line: nil) }
    lines = JSONKeyLines(bytes)
    for (name, settings) in modules where settings.mapValue == nil {
      throw .notATable("\(name)", line: lines["\(name)"])
    }
    self.modules = modules
  }

  /// Returns the value of a setting; nil if the file doesn't have it.
  subscript(module: String, setting: String) -> Value? {
    modules[.string(Text(module))]?.mapValue?[.string(Text(setting))]
  }

  /// The modules and settings, in the order of their names.
  var names: [(module: String, setting: String)] {
    modules.flatMap { module, settings in
      (settings.mapValue ?? Map()).map { ("\(module)", "\($0.key)") }
    }
  }

  /// Returns the file and the line of a setting: `settings.json:3`.
  func place(of module: String, _ setting: String) -> String {
    lines[module, setting].map { "\(path):\($0)" } ?? path
  }

  private static func contents(of path: String) throws(SettingsFileError) -> [UInt8] {
    do throws(SystemError) {
      return try WholeFile.bytes(of: path, upTo: byteCountMax)
    } catch {
      throw error.code == EFBIG ? .tooLong(max: byteCountMax) : .system(code: error.code)
    }
  }
}

/// The reason that a settings file can't be read.
public enum SettingsFileError: Error, Sendable, Equatable {
  /// The system refused; `code` is its `errno`.
  case system(code: Int32)
  /// The file has more than `max` bytes.
  case tooLong(max: Int)
  /// The file isn't JSON.
  case notJSON(ParseError)
  /// The value under a key isn't a table; nil stands for the whole file.
  case notATable(String?, line: Int?)
}

extension SettingsFileError: CustomStringConvertible {
  /// One phrase.
  public var description: String {
    switch self {
    case .system(let code): "\(SystemError(code: code))"
    case .tooLong(let max): "it has more than \(max >> 10) KB"
    case .notJSON(let error): "\(error)"
    case .notATable(nil, _): "it isn't a table of modules"
    case .notATable(let module?, let line):
      (line.map { "line \($0): " } ?? "") + "'\(module)' isn't a table of settings"
    }
  }
}
