import Glibc
package import MoonPrompt
package import Moonwire

/// The file of annotations for editors, in a directory of modules.
package struct TypesFile: Sendable {
  /// What has become of the files.
  package enum Outcome: Sendable {
    case written, unchanged
  }

  /// The path below the directory.
  package static let path = ScriptDirectory.annotationsPath
  /// The path of the settings of lua-language-server below the directory.
  package static let settingsPath = ".luarc.json"

  /// The beginning of the first line, by which the file is told from one that somebody has made.
  private static let mark = "-- Written by moonwire types"
  /// The permissions, as of files that editors make.
  private static let mode: UInt32 = 0o666
  private static let folderMode: UInt32 = 0o777
  private static let byteCountMax = 64 << 20

  private let directory: String

  /// Makes the file of a directory; nothing is read or written yet.
  package init(in directory: String) { self.directory = directory }

  private var file: String { "\(directory)/\(Self.path)" }

  /// Returns the annotations of an app.
  package static func text(of outline: AppOutline) -> String {
    let project = ProjectTypes(outline: outline)
    let library = LibraryTypes.text(outline.services).replacing(
      ProjectTypes.overloadPlace + "\n",
      with: project.overloads.isEmpty ? "" : project.overloads + "\n")
    return """
      \(mark), which replaces it, as do run and serve. Changes are lost.
      ---@meta moonwire

      """ + StandardTypes.text + library + project.text + "return moon\n"
  }

  /// Whether there is a file that the host has written.
  package var isKept: Bool { (try? former())?.hasPrefix(Self.mark) ?? false }

  /// Writes the annotations if they differ from those in the file, and the settings of
  /// lua-language-server if there are none.
  ///
  /// - Throws: ``TypesFileError``; the file is then as it was.
  @discardableResult
  package func write(_ text: String, replacingAny: Bool = false) throws(TypesFileError) -> Outcome {
    let former = try former()
    if let former, !former.hasPrefix(Self.mark), !replacingAny { throw .foreign(file) }
    if access("\(directory)/\(Self.settingsPath)", F_OK) != 0 {
      try replace("\(directory)/\(Self.settingsPath)", Self.settings)
    }
    if former == text { return .unchanged }
    try replace(file, text)
    return .written
  }

  private func former() throws(TypesFileError) -> String? {
    do throws(SystemError) {
      return String(
        decoding: try WholeFile.bytes(of: file, upTo: Self.byteCountMax), as: UTF8.self)
    } catch {
      if error.code == ENOENT { return nil }
      throw .system(file, error)
    }
  }

  private func replace(_ path: String, _ text: String) throws(TypesFileError) {
    do throws(SystemError) {
      if path == file { try makeFolder() }
      try WholeFile.replace(path, with: Array(text.utf8), mode: Self.mode)
    } catch {
      throw .system(path, error)
    }
  }

  private func makeFolder() throws(SystemError) {
    let folder = "\(directory)/types"
    guard mkdir(folder, Self.folderMode) == 0 || errno == EEXIST else { throw .latest }
  }

  /// Lua's own names are declared in the file of annotations, as far as the sandbox has them.
  private static let settings = """
    {
      "runtime.version": "Lua 5.4",
      "runtime.path": ["?.lua", "lib/?.lua", "?/init.lua", "lib/?/init.lua"],
      "runtime.builtin": {
        "basic": "disable", "bit": "disable", "bit32": "disable", "builtin": "enable",
        "coroutine": "disable", "debug": "disable", "ffi": "disable", "io": "disable",
        "jit": "disable", "math": "disable", "os": "disable", "package": "disable",
        "string": "disable", "string.buffer": "disable", "table": "disable",
        "table.clear": "disable", "table.new": "disable", "utf8": "disable"
      },
      "workspace.library": ["types"],
      "workspace.preloadFileSize": 5000,
      "workspace.checkThirdParty": false
    }

    """
}

/// The reason that the annotations can't be written.
package enum TypesFileError: Error, Equatable {
  /// The host hasn't written the file that is there.
  case foreign(String)
  case system(String, SystemError)
}

extension TypesFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .foreign(let path): "\(path) wasn't written by moonwire types"
    case .system(let path, let error): "\(path) can't be written: \(error)"
    }
  }
}

extension TypesFileError {
  /// The report for people.
  package var report: Report {
    switch self {
    case .foreign:
      Report("\(self)", rows: [.init("help", "moonwire types --force replaces it")])
    case .system: Report("\(self)")
    }
  }
}
