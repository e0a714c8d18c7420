import Glibc
import MoonPrompt
import MoonServices
package import Moonwire

/// The changes of the modules of others in the directory of an app.
package struct ModuleChanges: Sendable {
  /// The maximum time to wait for another program that changes them.
  static let waitSecondsMax = 10.0

  package let directory: String
  private let environment: [String: String]
  private let waitSeconds: Double

  /// Makes the changes of a directory; tests choose another time to wait.
  package init(
    in directory: String, _ environment: [String: String], waiting seconds: Double? = nil
  ) {
    self.directory = directory
    self.environment = environment
    waitSeconds = seconds ?? Self.waitSecondsMax
  }

  /// What has been added, or has taken the place of an earlier state.
  package struct Addition: Sendable {
    package let module: AddedModule
    package let brought: ModuleSource.Brought
    /// What it was before; nil if it is new.
    package let former: AddedModule?
    /// What it asked for before, as texts of scopes and settings; nil if that isn't known.
    package let formerNeeds: Set<String>?
    /// The files that the origin has as before, and that had been changed or removed in the app.
    package let restored: [String]
    /// The conflicts of its routes with those of the app.
    package let conflicts: [RouteConflict]

    /// Whether nothing is different.
    package var isSame: Bool { former == module && restored.isEmpty }
  }

  // MARK: Adding

  /// Adds a module.
  ///
  /// - Throws: ``PackagesError``; nothing has changed then.
  package func add(
    _ origin: ModuleOrigin, named name: ModuleName?
  ) async throws(PackagesError) -> Addition {
    try requireDirectory()
    return try await add(
      ModuleSource(origin, environment).bring(named: name), from: origin, updating: false)
  }

  /// Brings a module again from where it came from, as it is there now.
  ///
  /// - Throws: ``PackagesError``; nothing has changed then.
  package func update(
    _ name: ModuleName, evenIfChanged isForced: Bool = false
  ) async throws(PackagesError) -> Addition {
    try requireDirectory()
    let module = try known(name, ModuleLock(of: directory))
    try Replacement.requireInside(module.files.keys, in: directory)
    if !isForced { try requireUnchanged(module) }
    let origin = ModuleOrigin(module.origin, revision: module.asked, in: directory)
    let brought: ModuleSource.Brought
    do throws(PackagesError) {
      brought = try await ModuleSource(origin, environment).bring(again: module)
    } catch {
      if case .broken(let name, let problems) = error { throw .brokenUpdate(name, problems) }
      throw error
    }
    return try await add(brought, from: origin, updating: true)
  }

  /// Puts what a source has brought into the directory.
  package func add(
    _ brought: ModuleSource.Brought, from origin: ModuleOrigin, updating isUpdate: Bool
  ) async throws(PackagesError) -> Addition {
    // Its files tell it only until they change.
    let formerNeeds = isUpdate ? await needs(of: brought.name) : nil
    let (module, former, restored) = try locked {
      () throws(PackagesError) -> (AddedModule, AddedModule?, [String]) in
      var lock = try ModuleLock(of: directory)
      let former = lock.modules[brought.name]
      if !isUpdate { try requireFree(brought.name, former) }
      let module = try AddedModule(brought, from: origin, in: directory)
      let restored = try lost(former, module)
      if module != former || !restored.isEmpty {
        try requireFree(brought, former, lock)
        lock.modules[module.name] = module
        let files = brought.files.sorted { Self.rank($0.path, module) < Self.rank($1.path, module) }
        let left = Set(former?.files.keys.map(\.self) ?? []).subtracting(module.files.keys)
        try write(files, removing: left, lock)
      }
      return (module, former, restored)
    }
    return Addition(
      module: module, brought: brought, former: former, formerNeeds: formerNeeds,
      restored: restored, conflicts: await conflicts(of: module.name))
  }

  /// Returns the files of a module that are missing or different in the app, though the origin has
  /// them as before.
  private func lost(
    _ former: AddedModule?, _ module: AddedModule
  ) throws(PackagesError) -> [String] {
    guard let former else { return [] }
    return try differences(of: former).map(\.path).filter {
      former.files[$0] != nil && former.files[$0] == module.files[$0]
    }
  }

  /// The libraries come before what requires them, so that a host that watches finds them.
  private static func rank(_ path: String, _ module: AddedModule) -> Int {
    if path == "\(module.name).lua" || path == "\(module.name)/init.lua" { return 2 }
    return path.hasPrefix("\(module.name)/") ? 1 : 0
  }

  /// Checks that the app has no module of a name.
  private func requireFree(
    _ name: ModuleName, _ former: AddedModule?
  ) throws(PackagesError) {
    if let former { throw .added(former) }
    let files = ["\(name).lua", "\(name)/init.lua"]
    if let taken = files.first(where: { access("\(directory)/\($0)", F_OK) == 0 }) {
      throw .nameTaken(name, file: taken)
    }
  }

  /// Checks that no file of the app, or of another module, has a path of these.
  private func requireFree(
    _ brought: ModuleSource.Brought, _ former: AddedModule?, _ lock: ModuleLock
  ) throws(PackagesError) {
    for file in brought.files where former?.files[file.path] == nil {
      let path = "\(directory)/\(file.path)"
      guard access(path, F_OK) == 0 else { continue }
      let bytes = try? WholeFile.bytes(of: path, upTo: ScriptDirectory.fileSizeMax)
      guard bytes != file.bytes else { continue }
      throw .fileTaken(file.path, of: lock.owners(of: file.path).first, for: brought.name)
    }
    for file in brought.files {
      let others = lock.owners(of: file.path).filter { $0 != brought.name }
      let hash = try AddedModule.hash(file.bytes)
      if let other = others.first(where: { lock.modules[$0]?.files[file.path] != hash }) {
        throw .fileTaken(file.path, of: other, for: brought.name)
      }
    }
  }

  // MARK: Loading the app

  /// Returns the conflicts of a module's routes with those of others; none if the app can't be
  /// loaded.
  private func conflicts(of name: ModuleName) async -> [RouteConflict] {
    guard let host = await loadedHost() else { return [] }
    let conflicts = await host.perform { $0.routeConflicts() }
    await host.close()
    return conflicts.filter { [$0.earlier, $0.later].contains { $0.owner.string == name.text } }
  }

  /// Returns what a module of the app asks for now; nil if it isn't there or can't be read.
  private func needs(of name: ModuleName) async -> Set<String>? {
    guard let host = await loadedHost() else { return nil }
    let info = await host.perform { host in host.moduleInfos().first { $0.name == name } }
    let grants = await ModuleGrant.all(of: name, on: host)
    await host.close()
    guard let info else { return nil }
    let (settings, problems) = ModuleSource.sorted(info.problems)
    guard problems.isEmpty else { return nil }
    return Set(grants.map { "\($0.scope)" } + settings.map { "settings.\($0.name)" })
  }

  /// Makes a host that has loaded the app; nil if it can't be made.
  private func loadedHost() async -> Host? {
    var options = HostOptions()
    options.services = Service.standard
    // So that all of it is there. No module is started.
    options.grants.allowsAll = true
    guard let host = try? Host(directory: directory, options: options) else { return nil }
    try? await host.load()
    return host
  }

  // MARK: Removing

  /// Removes a module with its files; returns the files of its folder that it hadn't when it was
  /// added, which stay.
  ///
  /// - Throws: ``PackagesError``; nothing has changed then.
  package func remove(
    _ name: ModuleName, evenIfChanged isForced: Bool
  ) throws(PackagesError) -> [String] {
    try requireDirectory()
    return try locked { () throws(PackagesError) in
      var lock = try ModuleLock(of: directory)
      let module = try known(name, lock)
      try Replacement.requireInside(module.files.keys, in: directory)
      if !isForced { try requireUnchanged(module) }
      let added = try differences(of: module).filter { $0.kind == .added }.map(\.path)
      lock.modules[name] = nil
      try write([], removing: Set(module.files.keys), lock)
      return added
    }
  }

  // MARK: Verifying

  /// A file that isn't as it was when its module was added.
  package struct Difference: Sendable, Equatable {
    package enum Kind: String, Sendable { case changed, missing, added, unreadable }
    package let module: ModuleName
    package let path: String
    package let kind: Kind
  }

  /// Returns what has been changed by hand in the modules of others, and the number of modules.
  ///
  /// - Throws: ``PackagesError``
  package func verify() throws(PackagesError) -> (differences: [Difference], moduleCount: Int) {
    try requireDirectory()
    let modules = try ModuleLock(of: directory).modules.values.sorted { $0.name < $1.name }
    var differences: [Difference] = []
    for module in modules { differences += try self.differences(of: module) }
    return (differences, modules.count)
  }

  private func differences(of module: AddedModule) throws(PackagesError) -> [Difference] {
    let scripts = ScriptDirectory(root: directory)
    var found: [Difference] = []
    for (path, hash) in module.files.sorted(by: { $0.key < $1.key }) {
      let bytes: [UInt8]
      do throws(FilesError) {
        bytes = try scripts.read(path).bytes
      } catch {
        let kind: Difference.Kind = if case .notFound = error { .missing } else { .unreadable }
        found.append(Difference(module: module.name, path: path, kind: kind))
        continue
      }
      if try AddedModule.hash(bytes) != hash {
        found.append(Difference(module: module.name, path: path, kind: .changed))
      }
    }
    var folder = SourceTree(of: "\(directory)/\(module.name)")
    if module.files.keys.contains(where: { $0.hasPrefix("\(module.name)/") }),
      access("\(directory)/\(module.name)", F_OK) == 0
    {
      try folder.add(folder: "\(directory)/\(module.name)", as: "\(module.name)/")
    }
    // A link may lead to a script as well.
    let all = Set(folder.files.keys).union(folder.leftOut)
    let added = all.filter { module.files[$0] == nil }.sorted()
    return found + added.map { Difference(module: module.name, path: $0, kind: .added) }
  }

  private func requireUnchanged(_ module: AddedModule) throws(PackagesError) {
    let changed = try differences(of: module).filter { $0.kind != .added && $0.kind != .missing }
    if let first = changed.first { throw .changedByHand(module.name, first.path) }
  }

  // MARK: The directory

  private func requireDirectory() throws(PackagesError) {
    do throws(FilesError) {
      _ = try ScriptDirectory(root: directory).scan()
    } catch {
      throw .directory(error)
    }
  }

  private func known(
    _ name: ModuleName, _ lock: ModuleLock
  ) throws(PackagesError) -> AddedModule {
    guard let module = lock.modules[name] else {
      throw .notAdded(name, lock.modules.keys.sorted())
    }
    return module
  }

  /// Does something while no other program changes the modules.
  private func locked<R>(
    _ body: () throws(PackagesError) -> R
  ) throws(PackagesError) -> R {
    let lock: FileLock
    do throws(SystemError) {
      lock = try FileLock(directory: directory, within: waitSeconds)
    } catch {
      throw error.code == EWOULDBLOCK ? .busy(directory) : .unreadable(directory, error)
    }
    defer { lock.release() }
    return try body()
  }

  /// Writes files and the lock file, and removes files that no other module has.
  private func write(
    _ files: [NewFile], removing paths: Set<String>, _ lock: ModuleLock
  ) throws(PackagesError) {
    var gone = paths.filter { lock.owners(of: $0).isEmpty }.sorted()
    var files = files
    if lock.modules.isEmpty {
      gone.append(ModuleLock.fileName)
    } else {
      files.append(NewFile(ModuleLock.fileName, Array(try lock.text().utf8)))
    }
    try Replacement.make(files, removing: gone, in: directory)
  }
}

extension ModuleLock {
  /// Returns the modules to which a file belongs, by name.
  fileprivate func owners(of path: String) -> [ModuleName] {
    modules.values.filter { $0.files[path] != nil }.map(\.name).sorted()
  }
}

extension AddedModule {
  /// The maximum number of files of one.
  static let fileCountMax = 1_000

  fileprivate init(
    _ brought: ModuleSource.Brought, from origin: ModuleOrigin, in directory: String
  ) throws(PackagesError) {
    var files: [String: String] = [:]
    for file in brought.files { files[file.path] = try Self.hash(file.bytes) }
    self.init(
      name: brought.name, originalName: brought.originalName, origin: origin.text(in: directory),
      asked: origin.revision, revision: brought.revision, files: files)
  }
}
