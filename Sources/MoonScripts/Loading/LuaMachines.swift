import MoonActions
import MoonFiles
import MoonLua
package import MoonModules
package import MoonServiceKit
package import MoonSession
package import MoonTasks
package import MoonValues

/// The machines of durable tasks, each built from the files of the generation that began the task.
///
/// Confined to the host.
package final class LuaMachines: DurableMachines {
  private let loader: ModuleLoader
  /// Returns the generation of a module that is in service.
  private let generation: (ModuleName) -> Generation?

  package init(loader: ModuleLoader, generation: @escaping (ModuleName) -> Generation?) {
    self.loader = loader
    self.generation = generation
  }

  package func code(of module: ModuleName) -> ModuleCode? {
    guard let generation = generation(module) else { return nil }
    let sources = generation.files.sources
    return ModuleCode(
      generation: generation.number, file: generation.file,
      files: Map(sources.map { (.string(Text($0.key)), .string(Text($0.value.hashText))) }),
      contents: Map(
        sources.values.map {
          (.string(Text($0.hashText)), RecordedAnswer.value(of: $0.bytes))
        }))
  }

  package func isOutdated(_ beginning: DurableTask.Beginning) -> Bool {
    guard let sources = generation(beginning.module)?.files.sources else { return false }
    guard sources.count == beginning.files.count else { return true }
    return !beginning.files.allSatisfy { path, hash in
      guard case .string(let path) = path, let hash = hash.stringValue else { return false }
      return sources[path.string]?.isNamed(hash) ?? false
    }
  }

  package func progress(of task: DurableTask) -> Value {
    TaskProgress(key: task.beginning.key, task.log.entries).value
  }

  /// The reason that the code of a task can't be loaded.
  enum Problem: Error, CustomStringConvertible {
    case missingFile(String)
    case notLoaded([ModuleProblem])
    case noEffect

    var description: String {
      switch self {
      case .missingFile(let path): "the journal lacks the file \(path)"
      case .notLoaded(let problems):
        "its code can't be loaded: "
          + problems.map { "\($0.place): \($0.reason)" }.joined(separator: "; ")
      case .noEffect: "its code has no such effect"
      }
    }
  }

  package func run(
    of task: DurableTask, _ contents: Map, in session: Session
  ) throws -> any EffectRun {
    let beginning = task.beginning
    let calls = DurableCalls(of: task, in: session, loader.bindings)
    let kept = FileContents(of: try files(of: beginning, contents))
    let module: Module
    let made: Generation
    do throws(LoadFailure) {
      (module, made) = try loader.load(
        beginning.module, file: beginning.file, number: beginning.generation,
        files: LoadedFiles(from: kept), for: calls)
    } catch {
      throw Problem.notLoaded(error.problems)
    }
    guard
      let effect = module.effects.first(where: {
        $0.registration.name == beginning.effect && $0.durability != nil
      })
    else { throw Problem.noEffect }
    made.isOfTask = true
    return try effect.run(on: beginning.action, in: session)
  }

  private func files(
    of beginning: DurableTask.Beginning, _ contents: Map
  ) throws(Problem) -> LoadedFiles {
    let files = LoadedFiles()
    let present = generation(beginning.module)?.files.sources ?? [:]
    for (path, hash) in beginning.files {
      guard case .string(let path) = path, case .string(let hash) = hash else { continue }
      // The module's own file comes first: in a journal of an earlier version, a file of another
      // module may have the same name.
      if let source = present[path.string], source.isNamed(hash.string) {
        files.note(source, for: path.string)
        continue
      }
      guard let bytes = contents[.string(hash)].flatMap(RecordedAnswer.bytes) else {
        throw .missingFile(path.string)
      }
      let name = ContentHash(digits: hash.string)
      files.note(LoadedSource(bytes: bytes, contentHash: name), for: path.string)
    }
    return files
  }

  package func encoded(_ answer: WaitAnswer) -> Value {
    switch answer {
    case .begin: []
    case .values(let values):
      RecordedAnswer.value(of: values.map { $0.map { .value($0) } ?? .none })
    case .failure(let message): ["failure": .string(Text(message))]
    case .service(.success(.result(let result))):
      RecordedAnswer.value(of: result.arguments)
    // A handle is gone with the program, so that its number names none.
    case .service(.success(.opened(let handle))):
      RecordedAnswer.value(
        of: [.value(true), .value(.int(-1)), .value(.string(Text(handle.kind.name)))])
    case .service(.failure(let failure)):
      RecordedAnswer.value(of: failure.arguments)
    case .recorded(let value): value
    }
  }

  package func cutOff(_ name: String) -> Value {
    RecordedAnswer.value(
      of: [
        .value(false), .value("cut_off"),
        .value(.string(Text("\(name) was cut off: the program ended before its answer was kept"))),
      ])
  }

  package func random() -> UInt64 { loader.bindings.randomSeed() }
}
