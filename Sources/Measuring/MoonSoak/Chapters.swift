import Glibc
import Logging
import Moonwire

/// A part of the run that stresses one feature, with a model of the expected result.
protocol Chapter: Sendable {
  /// Its name on the command line.
  static var name: String { get }
  /// The modules, by file.
  static var files: [String: String] { get }
  /// Adds what the modules need to the options of their host, whose files are in a folder.
  static func prepare(_ options: inout HostOptions, in root: String)
  init()
  /// Runs one round; returns a sentence about what is wrong, or nil.
  mutating func round(
    _ bench: ChapterBench, _ random: inout Randomness
  ) async throws -> String?
}

extension Chapter {
  static func prepare(_ options: inout HostOptions, in root: String) {}
}

/// The host of a chapter, with one session.
struct ChapterBench: Sendable {
  let host: Host
  let session: SessionID
  let root: String

  /// Replaces a file of the modules; returns whether that succeeded.
  func save(_ file: String, _ text: String) -> Bool {
    guard let stream = fopen("\(root)/\(file)", "w") else { return false }
    defer { fclose(stream) }
    return fputs(text, stream) >= 0
  }

  /// Dispatches an action; returns the outcome or the error.
  func dispatch(
    _ type: Text, _ payload: Value = nil
  ) async -> Result<Outcome, DispatchError> {
    do throws(DispatchError) {
      return .success(try await host.dispatch(Action(type, payload), to: session))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the integer at a key of a module's slice.
  func integer(_ module: String, _ key: String) async -> Int64? {
    await host.state(of: session)?[module]?[key]?.intValue
  }

  /// Returns a sentence if an integer differs from its expected value.
  func difference(_ module: String, _ key: String, from expected: Int64) async -> String? {
    let found = await integer(module, key)
    return found == expected
      ? nil : "\(module).\(key) is \(found.map { "\($0)" } ?? "gone") and should be \(expected)"
  }
}

extension Soak {
  static let chapters: [any Chapter.Type] = [
    QueueFlood.self, FailingListeners.self, SlowCalls.self, SharedDrafts.self, StateFiles.self,
    NavigationFlood.self, EffectStorm.self, GreedyModules.self,
  ]
  /// The number of the storm's reloads that one round of a chapter stands for.
  static let reloadsPerRound = 50
  /// The minimum number of rounds for a verdict about memory.
  static let judgedRoundsMin = 40

  /// Runs a chapter.
  func run(_ chapter: any Chapter.Type) async throws {
    guard let folder = Folder() else {
      return verdicts.violate(chapter.name, "There is no folder for \(chapter.name).")
    }
    for (file, text) in chapter.files {
      guard let stream = fopen("\(folder.root)/\(file)", "w") else { continue }
      fputs(text, stream)
      fclose(stream)
    }
    var options = chapterOptions
    chapter.prepare(&options, in: folder.root)
    let host = try Host(directory: folder.root, options: options)
    try await host.load()
    let bench = ChapterBench(host: host, session: await host.openSession(), root: folder.root)
    var model = chapter.init()
    var random = Randomness(seed: settings.seed)
    let count = max(1, settings.reloads / Self.reloadsPerRound)
    let begun = ProcessUse.seconds
    var sizes: [Int] = []
    while sizes.count < count, ProcessUse.seconds - begun < settings.seconds / 6 {
      if let problem = try await model.round(bench, &random) {
        verdicts.violate(chapter.name, "\(chapter.name), round \(sizes.count + 1): \(problem).")
        break
      }
      ProcessUse.returnFreePages()
      sizes.append(ProcessUse.residentBytes)
    }
    await host.close()
    judge(sizes, chapter.name)
    print("\(chapter.name): \(sizes.count) rounds in \(Int(ProcessUse.seconds - begun)) s")
    flush()
  }

  private var chapterOptions: HostOptions {
    var options = HostOptions()
    options.logger.logLevel = .critical
    options.memoryQuota = 8 << 20
    options.stateQuota = 1 << 20
    options.budgets = Budgets(all: .milliseconds(250))
    options.followingBudget = .seconds(60)
    return options
  }

  private func judge(_ sizes: [Int], _ name: String) {
    guard sizes.count >= Self.judgedRoundsMin else { return }
    let early = sizes[(sizes.count / 4)..<(sizes.count / 2)].max() ?? 0
    let late = sizes[(sizes.count * 3 / 4)...].min() ?? 0
    if late > early + Self.residentAllowance {
      verdicts.violate(
        "\(name) memory", "\(name): memory grew from \(early >> 20) to \(late >> 20) MB.")
    }
  }
}
