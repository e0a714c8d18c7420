import Glibc
package import MoonPrompt
package import Moonwire

/// The reason that the modules of others haven't been changed.
package enum PackagesError: Error {
  // What is asked for.
  case notAFile(String)
  case noModule(String)
  case severalModules(String, [ModuleName], wanted: ModuleName?)
  /// A folder's name, which can't be a module's.
  case needsName(String)
  case builtIn(ModuleName)
  case broken(ModuleName, [ModuleProblem])
  /// The origin of a module that the app has is broken now.
  case brokenUpdate(ModuleName, [ModuleProblem])

  // Sizes.
  case tooMany(String)
  case tooLarge(String)
  case tooDeep(String)
  case tooManyFiles(ModuleName)
  case fileTooLarge(String, Int)

  // Origins.
  case git(String, GitFailure)
  case archive(String, String)
  case leavesArchive(String, String)
  /// A file's name has control characters.
  case unfitName(String)
  case noArchiveLibrary
  case noHash(String)

  // The app.
  case directory(FilesError)
  case host(HostError)
  case added(AddedModule)
  case notAdded(ModuleName, [ModuleName])
  case nameTaken(ModuleName, file: String)
  case fileTaken(String, of: ModuleName?, for: ModuleName)
  case changedByHand(ModuleName, String)
  /// A link leads from the folder of a file out of the app's directory.
  case leavesApp(String, target: String)
  case lock(String, LockFault)
  case busy(String)
  case unreadable(String, SystemError)
  case files(NewFilesError)

  /// The exit code.
  package var code: Int32 {
    switch self {
    case .directory, .unreadable, .notAFile, .archive, .git(_, .failed): ExitStatus.noInput
    case .git(_, .noProgram), .noArchiveLibrary, .busy, .git(_, .timedOut):
      ExitStatus.unavailable
    case .host, .noHash: ExitStatus.internalError
    case .files: ExitStatus.cannotCreate
    case .needsName, .severalModules, .notAdded: ExitStatus.usageError
    default: ExitStatus.dataError
    }
  }

  /// The report for people.
  package var report: Report {
    switch self {
    case .broken(_, let problems) where !problems.isEmpty:
      problems[0].report.adding(Report.Row("meanwhile", "the module wasn't added"))
    case .brokenUpdate(_, let problems) where !problems.isEmpty:
      problems[0].report.adding(Report.Row("meanwhile", "the one in the app stays"))
    default: Report(sentence, detail: detail, rows: help.map { .init("help", $0) })
    }
  }

  private var sentence: String {
    switch self {
    case .notAFile(let path): "\(path) is neither a folder nor a file"
    case .noModule(let origin): "there is no module in \(origin)"
    case .severalModules(let origin, let modules, nil):
      "there are \(modules.count) modules in \(origin): \(Self.list(modules))"
    case .severalModules(let origin, let modules, let wanted?):
      "there is no module \(wanted) in \(origin): it has \(Self.list(modules))"
    case .needsName(let name): "'\(name)' can't be a module's name"
    case .builtIn(let name): "\(name) is the name of a built-in module"
    case .broken(let name, _), .brokenUpdate(let name, _): "module \(name) can't be loaded"
    case .tooMany(let origin):
      "\(origin) has more than \(Wording.grouped(SourceTree.entryCountMax)) entries"
    case .tooLarge(let origin):
      "\(origin) has more than \(Wording.size(SourceTree.byteCountMax)) of files"
    case .tooDeep(let folder):
      "\(folder) has folders in one another deeper than \(ScriptDirectory.depthMax)"
    case .tooManyFiles(let name):
      "module \(name) has more than \(Wording.grouped(AddedModule.fileCountMax)) files"
    case .fileTooLarge(let path, let size):
      "\(path) has \(Wording.size(size)), and a file of a module may have "
        + Wording.size(ScriptDirectory.fileSizeMax)
    case .git(let url, let failure): "\(url): \(failure.sentence)"
    case .archive(let path, _): "\(path) can't be read as an archive"
    case .leavesArchive(let path, let entry):
      "the archive \(path) is refused: its entry '\(entry)' leads out of it"
    case .unfitName(let path): "the name of the file \(path) has control characters"
    case .noArchiveLibrary: "archives can't be read without libarchive"
    case .noHash(let reason): reason
    case .directory(let error): "\(error)"
    case .host(let error): "\(error)"
    case .added(let module): "module \(module.name) was added already, from \(module.origin)"
    case .notAdded(let name, _): "module \(name) wasn't added by moonwire add"
    case .nameTaken(let name, let file): "the app has a module \(name): \(file)"
    case .fileTaken(let path, nil, let name):
      "the app has another file \(path) than module \(name) brings"
    case .fileTaken(let path, let owner?, let name):
      "module \(owner) has another file \(path) than module \(name) brings"
    case .changedByHand(let name, let path):
      "module \(name) was changed by hand: \(path)"
    case .leavesApp(let path, let target):
      "\(path) leads out of the app's directory, to \(target)"
    case .lock(let path, let fault): "\(path) \(fault.phrase)"
    case .busy(let directory): "another program is changing the modules in \(directory)"
    case .unreadable(let path, let error): "\(path) can't be read: \(error)"
    case .files(let error): "\(error)"
    }
  }

  private var detail: String? {
    switch self {
    case .archive(_, let reason): reason
    case .files, .leavesApp: "nothing has changed"
    case .git(_, .failed(let said)) where !said.isEmpty:
      said.split(separator: "\n").prefix(2).joined(separator: "\n")
    default: nil
    }
  }

  private var help: [String] {
    switch self {
    case .noModule:
      ["a module is NAME.lua, NAME/init.lua, or a folder with an init.lua"]
    case .severalModules(_, let modules, let wanted?) where modules.count == 1:
      ["if it is called so now: moonwire remove \(wanted), then moonwire add"]
    case .severalModules:
      ["--name NAME chooses one", "to call one otherwise, add its own folder or file by itself"]
    case .needsName: ["--name NAME gives it one: a letter, then letters, digits and _"]
    case .builtIn, .nameTaken: ["--name NAME adds it under another name"]
    case .git(_, let failure): failure.help
    case .archive: ["tar and zip are known, compressed with gzip, bzip2, xz or zstd"]
    case .unfitName: ["ask the author to rename it, or remove it from a copy"]
    case .noArchiveLibrary:
      ["sudo apt-get install libarchive13", "or unpack the archive, and add the folder"]
    case .unreadable(_, let error) where error.code == ENOENT:
      ["give a path, an archive, or the address of a repository, such as https://…/cart.git"]
    case .tooLarge, .tooMany: ["give the folder of the module itself"]
    case .directory: ["--at DIR names the directory of the app"]
    case .added(let module):
      ["moonwire update \(module.name) brings it as it is there now"]
    case .notAdded(_, let known):
      ["moonwire.lock has \(known.isEmpty ? "no modules" : Self.list(known))"]
    case .fileTaken: ["rename the one in the app, or ask the author to put it into the module"]
    case .changedByHand:
      ["moonwire verify shows all changes", "--force overwrites them"]
    case .leavesApp:
      ["remove the link, or put a folder in its place: no file outside of the app is changed"]
    case .lock(_, .newer): ["install a newer version of moonwire"]
    case .lock:
      ["take it from your repository, or remove it with the modules, and add them again"]
    case .busy: ["try again when it has ended"]
    default: []
    }
  }

  private static func list(_ names: [ModuleName]) -> String {
    let shown = names.prefix(10).map(\.text)
    let left = names.count - shown.count
    return Wording.list(shown + (left > 0 ? ["\(left) more"] : []))
  }
}

extension GitFailure {
  fileprivate var sentence: String {
    switch self {
    case .noProgram: "git isn't installed"
    case .timedOut(let seconds): "git hasn't ended within \(Wording.time(.seconds(seconds)))"
    case .noRevision(let revision): "there is no branch, tag or commit '\(revision)'"
    case .failed: "git can't fetch it"
    }
  }

  fileprivate var help: [String] {
    switch self {
    case .noProgram: ["sudo apt-get install git"]
    case .timedOut: ["try again, or clone it yourself and add the folder"]
    case .noRevision: []
    case .failed(let said) where said.contains("prompts disabled") || said.contains("denied"):
      ["git asks nothing here: give it the password with a credential helper, or use a key of ssh"]
    case .failed: ["try the address: git ls-remote ADDRESS"]
    }
  }
}

extension LockFault {
  /// A phrase that follows the path.
  fileprivate var phrase: String {
    switch self {
    case .notJSON(let error): "isn't whole: \(error)"
    case .newer(let format):
      "is of a newer version of moonwire: its format is \(format), not \(ModuleLock.format)"
    case .lacks(let key): "was edited: '\(key)' is missing or isn't what it should be"
    case .notAName(let name): "was edited: '\(name)' can't be a module's name"
    case .leaves(let path): "was edited: '\(path)' leads out of the directory"
    case .edited(let name): "was edited: the files of module \(name) aren't those of its hash"
    }
  }
}

extension ModuleOrigin {
  /// The text for people.
  var shown: String {
    switch place {
    case .path(let path): path
    case .repository(let url): url + (revision.map { "@\($0)" } ?? "")
    }
  }
}
