import Glibc
package import MoonPrompt
import MoonTerminal
package import Moonwire

/// The files of a new app, or of a new module in an app.
package struct Scaffold: Sendable {
  /// The files, whose paths begin in the app's directory.
  package let files: [NewFile]
  /// The module; nil for an app.
  private let module: ModuleName?

  /// A name in the templates, and what takes its place.
  private typealias Word = (placeholder: String, replacement: String)

  /// Makes the files of an app in a directory of this name.
  package init(app name: String, from template: AppTemplate) {
    let title = TerminalText.singleLine(name.isEmpty ? "App" : name)
    files =
      Self.files(TemplateFiles.inEachApp, [])
      + Self.files(template.rawValue, [("APP", title)])
    module = nil
  }

  /// Makes the files of a module.
  package init(_ name: ModuleName, from template: ModuleTemplate) {
    let title = name.text.prefix(1).uppercased() + name.text.dropFirst().replacing("_", with: " ")
    files = Self.files(template.rawValue, [("feature", name.text), ("FEATURE", title)])
    module = name
  }

  private static func files(_ folder: String, _ words: [Word]) -> [NewFile] {
    TemplateFiles.files(in: folder).map { file in
      var (path, text) = (file.path, String(decoding: file.bytes, as: UTF8.self))
      for word in words {
        path = path.replacing(word.placeholder, with: word.replacement)
        text = text.replacing(word.placeholder, with: word.replacement)
      }
      return NewFile(path, Array(text.utf8))
    }
  }

  /// Makes the files: those of an app in a directory that is missing or empty, those of a module in
  /// the directory of an app.
  ///
  /// After an error, nothing has changed.
  ///
  /// - Throws: ``ScaffoldError``
  package func write(into directory: String) throws(ScaffoldError) {
    if let module {
      try Self.requireFree(module, in: directory)
    } else {
      try Self.requireEmpty(directory)
    }
    do throws(NewFilesError) {
      try NewFiles(files).write(into: directory)
    } catch {
      throw .files(error)
    }
  }

  /// Checks that a directory has nothing in it, if it exists; a new repository counts as nothing.
  private static func requireEmpty(_ directory: String) throws(ScaffoldError) {
    guard let stream = opendir(directory) else {
      if errno == ENOENT { return }
      throw .files(NewFilesError(directory, .latest))
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard [".", "..", ".git"].contains(name) else { throw .notEmpty(directory, has: name) }
    }
  }

  /// Checks that a directory exists and has no module of a name.
  private static func requireFree(
    _ module: ModuleName, in directory: String
  ) throws(ScaffoldError) {
    let entries: [ScriptDirectory.Entry]
    do throws(FilesError) {
      entries = try ScriptDirectory(root: directory).scan().entries
    } catch {
      throw .directory(error)
    }
    let files = ["\(module).lua", "\(module)/init.lua"]
    if let taken = entries.first(where: { files.contains($0.path) }) {
      throw .nameTaken(module, file: "\(directory)/\(taken.path)")
    }
  }
}

/// The reason that nothing new was made.
package enum ScaffoldError: Error, Equatable {
  /// A directory for an app has something in it.
  case notEmpty(String, has: String)
  /// The directory for a module can't be read.
  case directory(FilesError)
  /// There is a module of that name.
  case nameTaken(ModuleName, file: String)
  case files(NewFilesError)

  /// The report for people.
  package var report: Report {
    switch self {
    case .notEmpty(let directory, let name):
      Report(
        "\(directory) isn't empty: it has \(name)",
        rows: [
          .init("help", "name a directory that doesn't exist yet, or that has nothing in it"),
          .init("help", "for a module in it: moonwire new module NAME --at \(directory)"),
        ])
    case .directory(let error):
      Report(
        "\(error)", rows: [.init("help", "--at DIR names the directory of an app")])
    case .nameTaken(let module, let file):
      Report(
        "there is a module \(module): \(file)", rows: [.init("help", "choose another name")])
    case .files(let error):
      Report("\(error)", detail: "nothing was made")
    }
  }

  /// The exit code.
  package var code: Int32 {
    switch self {
    case .directory: ExitStatus.noInput
    case .notEmpty, .nameTaken, .files: ExitStatus.cannotCreate
    }
  }

  /// Returns the report on a text that isn't the name of a module; nil if it is one.
  package static func report(onName name: String) -> Report? {
    guard ModuleName(name) == nil || ModuleName.builtIn.contains(name) else {
      guard isKeyword(name) else { return nil }
      return Report(
        "'\(name)' can't be a module's name: it is a word of Lua",
        rows: [.init("help", "choose another name")])
    }
    var report = ModuleProblem(
      module: nil, place: SourcePlace(file: name), reason: .invalidName(name)
    ).report
    report.place = nil
    return report
  }

  /// Returns whether a name is a word of Lua, which no local can be called.
  private static func isKeyword(_ name: String) -> Bool {
    SourceRemarks(Array("local \(name)".utf8)).locals.isEmpty
  }
}
