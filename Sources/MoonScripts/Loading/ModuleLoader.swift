import MoonActions
package import MoonFiles
package import MoonLua
package import MoonModules
package import MoonServiceKit
import MoonSession
import MoonValues

/// A loader that finds modules in a directory and makes generations of them.
package struct ModuleLoader {
  package let directory: ScriptDirectory
  private let options: LoadingOptions
  let watchdog: Watchdog?
  /// The functions of the host that a module's code can call.
  package let bindings: Bindings
  /// The usage of each module, over all its generations.
  private let meters = Meters()

  package init(
    directory: ScriptDirectory, options: LoadingOptions, watchdog: Watchdog?, bindings: Bindings
  ) {
    self.directory = directory
    self.options = options
    self.watchdog = watchdog
    self.bindings = bindings
  }

  /// Finds a library for the prompt.
  package func library(_ name: String) throws(HostRefusal) -> Services.Library {
    try find(name, LoadedFiles(from: FileContents(of: directory)))
  }

  /// The modules' files in the directory, and the problems with their names.
  package struct Inventory {
    package var files: [ModuleName: String] = [:]
    package var problems: [ModuleProblem] = []
    /// The contents of the files.
    package let contents: FileContents

    package init(
      files: [ModuleName: String] = [:], problems: [ModuleProblem] = [], contents: FileContents
    ) {
      self.files = files
      self.problems = problems
      self.contents = contents
    }
  }

  /// The folder whose files are libraries and never modules.
  static let libraryFolder = "lib"

  /// Lists the modules in the directory.
  ///
  /// - Throws: ``FilesError`` when the directory doesn't exist.
  package func inventory(_ contents: FileContents) throws(FilesError) -> Inventory {
    let listing = try directory.scan()
    var inventory = Inventory(contents: contents)
    var claims: [String: [String]] = [:]
    for entry in listing.entries {
      if let name = Self.moduleName(of: entry.path) { claims[name, default: []].append(entry.path) }
    }
    for (name, files) in claims.sorted(by: { $0.key < $1.key }) {
      let place = SourcePlace(file: files[0])
      guard let module = ModuleName(name), !ModuleName.builtIn.contains(name) else {
        inventory.problems.append(
          ModuleProblem(module: nil, place: place, reason: .invalidName(name)))
        continue
      }
      if files.count > 1 {
        inventory.problems.append(
          ModuleProblem(
            module: module, place: place, reason: .nameTaken(others: Array(files.dropFirst()))))
      } else {
        inventory.files[module] = files[0]
      }
    }
    for problem in listing.problems {
      let module = Self.moduleName(of: problem.path).flatMap { ModuleName($0) }
      inventory.problems.append(
        ModuleProblem(
          module: module, place: SourcePlace(file: problem.path), reason: .skipped(problem.reason)))
    }
    return inventory
  }

  /// Returns the name of the module in a file: `counter` for `counter.lua` and `counter/init.lua`;
  /// nil for a library.
  static func moduleName(of path: String) -> String? {
    let parts = path.split(separator: "/")
    guard path.hasSuffix(".lua") else { return nil }
    switch parts.count {
    case 1: return String(path.dropLast(4))
    case 2 where parts[1] == "init.lua" && parts[0] != libraryFolder: return String(parts[0])
    default: return nil
    }
  }

  /// Loads a module's file and the files that it requires, which `files` reads.
  ///
  /// `durableCalls` are those of the durable task that the machine is for; nil for a module's own.
  ///
  /// - Throws: ``LoadFailure``. `files` then holds the files that must change before another
  ///   attempt.
  package func load(
    _ name: ModuleName, file: String, number: Int, files: LoadedFiles,
    for durableCalls: DurableCalls? = nil
  ) throws(LoadFailure) -> (Module, Generation) {
    let source: [UInt8]
    do {
      source = try files.read(file)
    } catch {
      files.note(missing: file)
      throw failure(name, file, .unreadable(error))
    }
    // The byte order marks of UTF-16, which nothing else begins with.
    if source.starts(with: [0xFF, 0xFE]) || source.starts(with: [0xFE, 0xFF]) {
      throw failure(name, file, .encoding("UTF-16"))
    }
    do {
      let budgets = options.budgets(of: name)
      let task = RunningTask()
      let calls = HostCalls(module: name, task: task, bindings: bindings, durable: durableCalls)
      let machine = try Machine(
        name: name.text, prelude: Prelude.module, settings: HostFunctions.prelude,
        services: services(calls, files), watchdog: watchdog,
        seed: durableCalls?.seed ?? bindings.randomSeed(),
        memoryQuota: options.memoryQuota(of: name), sharesQuota: durableCalls != nil,
        meter: meters[name], fault: options.allocationFault(name))
      durableCalls?.begin(in: machine)
      let limits = CallLimits(budget: budgets[.load], purity: .impure, entry: "a module's file")
      let forms = try bindings.activity.load {
        try machine.run(source, file: file, limits: limits)
      }
      let generation = Generation(
        name: name, file: file, number: number, machine: machine, task: task,
        budgets: budgets, stateQuota: options.stateQuota(of: name), files: files)
      var reader = ModuleReader(
        generation: generation, source: source, grants: bindings.services.grants,
        settings: options.settings, isDebugging: options.isDebugging)
      let module = try reader.module(forms.first).held { [options] in options.sliceQuota(of: $0) }
      keepNamedLibraries(files)
      files.close()
      return (module, generation)
    } catch let error as LuaError {
      let registration = Registration(.load, file, place: SourcePlace(file: file))
      let failure = CodeFailure(error)
      var fault = Fault(
        module: name.text, generation: number, registration: registration,
        reason: failure.reason, place: failure.place, frames: failure.frames)
      if let place = fault.place, let source = files.sources[place.file] {
        fault.excerpt = Excerpt(of: source.bytes, line: place.line)
      }
      throw LoadFailure(problems: [
        ModuleProblem(
          module: name, place: fault.place ?? SourcePlace(file: file), reason: .fault(fault))
      ])
    } catch let error as LoadFailure {
      throw error
    } catch {
      throw failure(name, file, .returned("\(error)"))
    }
  }

  private func failure(
    _ name: ModuleName, _ file: String, _ reason: ModuleProblem.Reason
  ) -> LoadFailure {
    LoadFailure(problems: [
      ModuleProblem(module: name, place: SourcePlace(file: file), reason: reason)
    ])
  }

  private func services(_ calls: HostCalls, _ files: LoadedFiles) -> Services {
    Services(callHost: calls.call) { library throws(HostRefusal) in
      try files.isClosed ? findKept(library, in: files) : find(library, files)
    }
  }

  /// Finds the library `a.b` in `a/b.lua`, `a/b/init.lua`, `lib/a/b.lua` or `lib/a/b/init.lua`, in
  /// this order.
  func find(_ name: String, _ files: LoadedFiles) throws(HostRefusal) -> Services.Library {
    if let part = Prelude.library(name) ?? bindings.services.catalog.library(name) { return part }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    // The host's own libraries run with globals of their own.
    guard parts.first != "moonwire" else {
      throw .refused("require: Moonwire has no library '\(name)', and files can't have its names")
    }
    guard !parts.isEmpty, parts.allSatisfy(Self.isLibraryWord) else {
      throw .refused(
        """
        require: '\(name)' can't be a library's name: write words separated by dots, such as \
        "lib.text"
        """
      )
    }
    let candidates = Self.candidates(for: parts)
    guard files.byteCount < LoadedFiles.bytesMax else {
      throw .refused(
        "require: the files of a module may have \(LoadedFiles.bytesMax >> 20) MB at most")
    }
    for candidate in candidates {
      do throws(FilesError) {
        let source = try files.read(candidate)
        guard source.isEmpty else { return Services.Library(file: candidate, source: source) }
      } catch {
        guard case .notFound = error else { throw .refused("require: \(candidate): \(error)") }
        files.note(missing: candidate)
        continue
      }
      // An empty file is most likely about to be written.
      throw .refused("require: \(candidate) is empty")
    }
    if isModule(parts, files) {
      throw .refused(
        "require: '\(name)' is a module, not a library: modules work together through actions")
    }
    throw .refused(
      "require: there is no library '\(name)'; looked for \(candidates.joined(separator: ", "))")
  }

  /// Returns the files that a library's name stands for, in order of preference; never a module's
  /// file.
  static func candidates(for parts: [Substring]) -> [String] {
    let path = parts.joined(separator: "/")
    return ["\(path).lua", "\(path)/init.lua"].filter { moduleName(of: $0) == nil }
      + ["\(libraryFolder)/\(path).lua", "\(libraryFolder)/\(path)/init.lua"]
  }

  private func isModule(_ parts: [Substring], _ files: LoadedFiles) -> Bool {
    let path = parts.joined(separator: "/")
    return ["\(path).lua", "\(path)/init.lua"].contains {
      Self.moduleName(of: $0) != nil && files.canRead($0)
    }
  }

  private static func isLibraryWord(_ word: Substring) -> Bool {
    !word.isEmpty
      && word.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      }
  }
}
