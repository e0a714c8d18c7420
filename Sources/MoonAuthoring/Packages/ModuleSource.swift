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
    /// What it is called at its origin; nil if it has the same name there.
    let originalName: ModuleName?
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
    /// The scripts with texts that begin with the original name, as types of actions do.
    let namingOriginal: [String]
  }

  /// The files that an origin has.
  private struct Contents {
    var tree: SourceTree
    /// The name of a module whose `init.lua` is at the top.
    var suggestion: String
    var revision: String?

    /// The modules that a directory with these files would have.
    var modules: [ModuleName] {
      tree.files.keys.compactMap { path in
        let parts = path.split(separator: "/")
        if parts.count == 1, path.hasSuffix(".lua") { return ModuleName(String(path.dropLast(4))) }
        let isFolder = parts.count == 2 && parts[1] == "init.lua" && parts[0] != "lib"
        return isFolder ? ModuleName(String(parts[0])) : nil
      }.sorted()
    }
  }

  /// Brings the module, and loads it once beside all apps to see what it asks for.
  ///
  /// Its file runs then as in `moonwire check`: in the sandbox, with the limits of a load. It can
  /// reach nothing, since no service answers a module that is being loaded. `name` says which of
  /// several modules is meant, or what the only one is called in the app.
  ///
  /// - Throws: ``PackagesError``
  package func bring(named name: ModuleName?) async throws(PackagesError) -> Brought {
    let contents = try await contents(for: name)
    let modules = contents.modules
    return try await bring(modules.count == 1 ? modules[0] : name, as: name, of: contents)
  }

  /// Brings a module again that an app has, by the name that it had at its origin.
  ///
  /// - Throws: ``PackagesError``
  package func bring(again module: AddedModule) async throws(PackagesError) -> Brought {
    let contents = try await contents(for: module.name)
    let original = module.originalName.flatMap { contents.modules.contains($0) ? $0 : nil }
    return try await bring(original ?? module.name, as: module.name, of: contents)
  }

  private func bring(
    _ wanted: ModuleName?, as name: ModuleName?, of contents: Contents
  ) async throws(PackagesError) -> Brought {
    let modules = contents.modules
    guard let module = wanted, modules.contains(module) else {
      if modules.isEmpty { throw .noModule(origin.shown) }
      throw .severalModules(origin.shown, modules, wanted: wanted)
    }
    let name = name ?? module
    guard !ModuleName.builtIn.contains(name.text) else { throw .builtIn(name) }
    var contents = contents
    contents.tree.rename(module, to: name)
    return try await inspect(
      name, formerly: name == module ? nil : module, isAlone: modules.count == 1, contents)
  }

  // MARK: Fetching

  /// Fetches the files; an `init.lua` at the top comes into a folder, which `name` may name.
  private func contents(for name: ModuleName?) async throws(PackagesError) -> Contents {
    var contents = try await fetched()
    guard contents.tree.files["init.lua"] != nil else { return contents }
    guard let own = name ?? ModuleName(contents.suggestion) else {
      throw .needsName(contents.suggestion)
    }
    contents.tree.move(into: own.text)
    return contents
  }

  private func fetched() async throws(PackagesError) -> Contents {
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
    return Contents(tree: tree, suggestion: name)
  }

  private func script(_ path: String) throws(PackagesError) -> Contents {
    guard let module = ModuleName(origin.name) else { throw .needsName(origin.name) }
    var tree = SourceTree(of: path)
    try tree.add(file: path, as: "\(module).lua")
    try addNeighbours(of: path, module, to: &tree)
    return Contents(tree: tree, suggestion: module.text)
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
    _ module: ModuleName, formerly original: ModuleName?, isAlone: Bool, _ contents: Contents
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
      name: module, originalName: original,
      files: files.map { NewFile($0.key, $0.value) }.sorted { $0.path < $1.path },
      revision: contents.revision, grants: grants, settings: settings,
      leftOut: contents.tree.leftOut.filter { $0.hasPrefix(own) }.sorted(),
      namingOriginal: original.map { Self.scripts(naming: $0, in: files) } ?? [])
  }

  /// Splits the problems of a module into settings that are missing, and what is wrong with it;
  /// what it isn't granted is neither.
  static func sorted(
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

  /// Returns the scripts with texts that begin with a module's name and a slash.
  private static func scripts(
    naming module: ModuleName, in files: [String: [UInt8]]
  ) -> [String] {
    let beginnings = ["\"\(module)/", "'\(module)/"].map { Array($0.utf8) }
    return files.filter { path, bytes in
      path.hasSuffix(".lua") && beginnings.contains { bytes.firstRange(of: $0) != nil }
    }.keys.sorted()
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
