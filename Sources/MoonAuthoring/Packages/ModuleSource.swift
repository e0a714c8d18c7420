import Glibc
package import MoonPrompt
import MoonServices
package import Moonwire

/// What brings the files of a module from its origin.
package struct ModuleSource: Sendable {
  private let origin: ModuleOrigin
  private let environment: [String: String]
  /// The program that fetches from repositories, and the maximum time for it.
  private let git: (program: String, seconds: Double)

  /// Makes a source; tests choose another program in place of git, and another time.
  package init(
    _ origin: ModuleOrigin, _ environment: [String: String], git program: String = "git",
    within seconds: Double? = nil
  ) {
    self.origin = origin
    self.environment = environment
    git = (program, seconds ?? GitRepository.secondsMax)
  }

  /// A module with its files, which no app has yet.
  package struct Brought: Sendable {
    package let name: ModuleName
    /// The files, by their paths in the directory of an app.
    let files: [NewFile]
    /// The commit, or the hash of the archive; nil for files of this machine.
    let revision: String?
    /// What the module asks for.
    package let grants: [ModuleGrant]
    /// The settings that must be given.
    package let settings: [SettingError]
    /// The links and devices beside the files, which aren't followed.
    package let leftOut: [String]
  }

  /// The files that an origin has, and the names that its module may have.
  private struct Contents {
    var tree: SourceTree
    /// The name of a module whose `init.lua` is at the top.
    var suggestion: String
    var revision: String?
    /// The only module that is meant; nil if any may be.
    var module: ModuleName?
  }

  /// Brings the module, and loads it once beside all apps to see what it asks for.
  ///
  /// Its file runs then as in `moonwire check`: in the sandbox, with the limits of a load. It can
  /// reach nothing, since no service answers a module that is being loaded. `name` says which of
  /// several modules is meant, or what one without a folder of its own is called.
  ///
  /// - Throws: ``PackagesError``
  package func bring(named name: ModuleName?) async throws(PackagesError) -> Brought {
    var contents = try await contents()
    if contents.tree.files["init.lua"] != nil {
      guard let own = name ?? ModuleName(contents.suggestion) else {
        throw .needsName(contents.suggestion)
      }
      contents.tree.move(into: own.text)
      contents.module = own
    }
    let modules = Self.modules(in: contents.tree)
    let wanted = name ?? contents.module ?? (modules.count == 1 ? modules[0] : nil)
    guard let module = wanted, modules.contains(module) else {
      if modules.isEmpty { throw .noModule(origin.shown) }
      throw .severalModules(origin.shown, modules, wanted: wanted)
    }
    guard !ModuleName.builtIn.contains(module.text) else { throw .builtIn(module) }
    return try await inspect(module, isAlone: modules.count == 1, contents)
  }

  /// Returns the modules that a directory with these files would have.
  private static func modules(in tree: SourceTree) -> [ModuleName] {
    tree.files.keys.compactMap { path in
      let parts = path.split(separator: "/")
      if parts.count == 1, path.hasSuffix(".lua") { return ModuleName(String(path.dropLast(4))) }
      let isFolder = parts.count == 2 && parts[1] == "init.lua" && parts[0] != "lib"
      return isFolder ? ModuleName(String(parts[0])) : nil
    }.sorted()
  }

  // MARK: Fetching

  private func contents() async throws(PackagesError) -> Contents {
    switch origin.place {
    case .path(let path): return try contents(at: path)
    case .repository(let url):
      let folder = try WorkFolder(environment)
      let repository = GitRepository(
        url: url, program: git.program, seconds: git.seconds, environment: environment)
      let archive = "\(folder.path)/moonwire.tar"
      let commit = try await repository.archive(origin.revision, to: archive, in: folder.path)
      var contents = try Self.archive(archive, called: url, origin.name)
      contents.revision = commit
      return contents
    }
  }

  private static func archive(
    _ path: String, called name: String, _ suggestion: String
  ) throws(PackagesError) -> Contents {
    var tree = SourceTree(of: name)
    try tree.add(archive: path)
    let folder = tree.enterOnlyFolder()
    return Contents(
      tree: tree,
      suggestion: [suggestion, folder].compactMap(\.self).first {
        ModuleName($0) != nil
      } ?? folder ?? suggestion)
  }

  private func contents(at path: String) throws(PackagesError) -> Contents {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .unreadable(path, .latest) }
    if status.st_mode & S_IFMT == S_IFDIR { return try folder(ScriptDirectory(root: path).root) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
    if path.hasSuffix(".lua") { return try script(ScriptDirectory(root: path).root) }
    var contents = try Self.archive(path, called: path, origin.name)
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.bytes(of: path, upTo: SourceTree.byteCountMax)
    } catch {
      throw error.code == EFBIG ? .tooLarge(path) : .unreadable(path, error)
    }
    contents.revision = try AddedModule.hash(bytes)
    return contents
  }

  /// Returns the contents of a module's folder with the libraries beside it, or of a directory with
  /// modules.
  private func folder(_ path: String) throws(PackagesError) -> Contents {
    var tree = SourceTree(of: path)
    let name = origin.name
    guard access("\(path)/init.lua", F_OK) == 0 else {
      try tree.add(folder: path, as: "")
      return Contents(tree: tree, suggestion: name)
    }
    guard let module = ModuleName(name) else {
      try tree.add(folder: path, as: "")
      return Contents(tree: tree, suggestion: name)
    }
    try tree.add(folder: path, as: "\(module)/")
    try addNeighbours(of: path, module, to: &tree)
    return Contents(tree: tree, suggestion: name, module: module)
  }

  private func script(_ path: String) throws(PackagesError) -> Contents {
    guard let module = ModuleName(origin.name) else { throw .needsName(origin.name) }
    var tree = SourceTree(of: path)
    try tree.add(file: path, as: "\(module).lua")
    try addNeighbours(of: path, module, to: &tree)
    return Contents(tree: tree, suggestion: module.text, module: module)
  }

  /// Adds the libraries and tests in the directory in which a module lies.
  private func addNeighbours(
    of path: String, _ module: ModuleName, to tree: inout SourceTree
  ) throws(PackagesError) {
    let directory = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    if access("\(directory)/lib", F_OK) == 0 {
      try tree.add(folder: "\(directory)/lib", as: "lib/")
    }
    let test = "tests/\(module).lua"
    if access("\(directory)/\(test)", F_OK) == 0 {
      try tree.add(file: "\(directory)/\(test)", as: test)
    }
  }

  // MARK: Inspecting

  private func inspect(
    _ module: ModuleName, isAlone: Bool, _ contents: Contents
  ) async throws(PackagesError) -> Brought {
    let folder = try WorkFolder(environment)
    let scripts = contents.tree.files.filter { $0.key.hasSuffix(".lua") }
    do throws(NewFilesError) {
      try NewFiles(scripts.map { NewFile($0.key, $0.value) }).write(into: folder.path)
    } catch {
      throw .files(error)
    }
    var options = HostOptions()
    options.services = Service.standard
    // So that everything is read. No module is started, and none reaches anything while it loads.
    options.grants.allowsAll = true
    let host: Host
    do throws(HostError) {
      host = try Host(directory: folder.path, options: options)
    } catch {
      throw .host(error)
    }
    do throws(FilesError) {
      try await host.load()
    } catch {
      await host.close()
      throw .directory(error)
    }
    let (info, loaded) = await host.perform { host in
      let info = host.moduleInfos().first { $0.name == module }
      return (info, info?.files(on: host) ?? [])
    }
    let grants = await ModuleGrant.all(of: module, on: host)
    await host.close()
    let (settings, problems) = Self.sorted(info?.problems ?? [])
    guard problems.isEmpty else { throw .broken(module, problems) }
    let own = "\(module)/"
    let tests = isAlone ? "tests/" : "tests/\(module).lua"
    let files = contents.tree.files.filter { path, _ in
      path.hasPrefix(own) || loaded.contains(path)
        || path.hasPrefix(tests) && path.hasSuffix(".lua")
    }
    try Self.check(files, module)
    return Brought(
      name: module, files: files.map { NewFile($0.key, $0.value) }.sorted { $0.path < $1.path },
      revision: contents.revision, grants: grants, settings: settings,
      leftOut: contents.tree.leftOut.filter { $0.hasPrefix(own) }.sorted())
  }

  /// Splits the problems of a module into settings that are missing, and what is wrong with it;
  /// what it isn't granted is neither.
  private static func sorted(
    _ problems: [ModuleProblem]
  ) -> (settings: [SettingError], wrong: [ModuleProblem]) {
    var settings: [SettingError] = []
    let wrong = problems.filter { problem in
      switch problem.reason {
      case .notGranted: return false
      case .refusedSetting(.missing(let name, let type, let module)):
        settings.append(.missing(name, type: type, module: module))
        return false
      default: return true
      }
    }
    return (settings, wrong)
  }

  private static func check(
    _ files: [String: [UInt8]], _ module: ModuleName
  ) throws(PackagesError) {
    guard files.count <= AddedModule.fileCountMax else { throw .tooManyFiles(module) }
    for (path, bytes) in files where bytes.count > ScriptDirectory.fileSizeMax {
      throw .fileTooLarge(path, bytes.count)
    }
    // Hosts pass over deeper files, and so would the removal of the module.
    for path in files.keys where path.count(where: { $0 == "/" }) > ScriptDirectory.depthMax {
      throw .tooDeep("\(module)")
    }
  }
}
