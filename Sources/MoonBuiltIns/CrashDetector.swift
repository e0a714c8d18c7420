import Glibc
import Moonwire
import Synchronization

extension BuiltIn {
  /// `crash_detector`: announces with `crash/did` that the last run crashed, and with `crash/will`,
  /// if possible, that this one is crashing.
  ///
  /// Both have the name of the signal in `signal`; a run that was killed or lost power left none.
  /// While a session is open, the file `running` in the directory says so.
  public static let crashDetector = BuiltIn(
    "crash_detector", "Announces with crash/did that the last run crashed",
    accompanying: { session, host, surroundings in
      guard let directory = surroundings.directory else {
        return surroundings.show("crash_detector: there is no directory to note runs in")
      }
      do throws(CrashMarker.Failure) {
        let former = try CrashMarker.begin(in: directory, for: session) { [weak host] signal in
          guard let host else { return }
          await Action("crash/will", CrashMarker.payload(signal)).tell(
            session, on: host, surroundings.show)
        }
        guard case .crashed(let signal) = former else { return }
        await Action("crash/did", CrashMarker.payload(signal)).tell(
          session, on: host, surroundings.show)
      } catch {
        surroundings.show("crash_detector: \(error.sentence(about: directory))")
      }
    }
  ) { module, surroundings in
    module.state = ["crashed": false]
    module.reducers = [
      Reducer(announced: "crash/did") { slice, action in
        var crash = action.payload.mapValue ?? Map()
        crash["crashed"] = true
        slice = .map(crash)
      },
      Reducer(announced: "crash/will") { _, _ in },
    ]
    module.hooks.onStop = Hook { context in
      guard let directory = surroundings.directory else { return }
      CrashMarker.end(in: directory, for: context.sessionID)
    }
  }
}

/// The files that mark running sessions, one for each directory, and the signals of a crash.
enum CrashMarker {
  /// How the last run ended.
  enum Former: Equatable {
    case clean
    /// It crashed by a signal; nil if it left none.
    case crashed(signal: String?)
  }

  /// The reason that a directory isn't watched.
  enum Failure: Error {
    case otherProgram
    case tooManyDirectories
    case system(SystemError)

    func sentence(about directory: String) -> String {
      switch self {
      case .otherProgram: "another run has the directory \(directory)"
      case .tooManyDirectories:
        "\(directory) isn't watched: the limit is \(CrashHandler.filesMax) directories a program"
      case .system(let error): "\(directory): \(error)"
      }
    }
  }

  /// A function that announces a crash by a signal.
  typealias Announcement = @Sendable (_ signal: String?) async -> Void

  /// The crash signals.
  private static let names: [Int32: String] = [
    SIGABRT: "SIGABRT", SIGILL: "SIGILL", SIGSEGV: "SIGSEGV", SIGFPE: "SIGFPE",
    SIGBUS: "SIGBUS", SIGTRAP: "SIGTRAP",
  ]

  private struct Marked {
    let path: String
    let lock: FileLock
    let descriptor: Int32
    /// The running sessions; two hosts may have sessions with the same id.
    var sessions: [(id: SessionID, announce: Announcement)]
  }

  /// By directory.
  private static let marked = Mutex<[String: Marked]>([:])

  /// Marks a session as running, and returns how the last run in the directory ended.
  ///
  /// On a crash signal, the handler notes it, and calls `announce` if another thread can; then the
  /// signal takes its usual effect. It waits ``CrashHandler/patience`` at most.
  static func begin(
    in directory: String, for session: SessionID, _ announce: @escaping Announcement
  ) throws(Failure) -> Former {
    try marked.withLock { marked throws(Failure) in
      // Another session of this process.
      if marked[directory] != nil {
        marked[directory]?.sessions.append((session, announce))
        return .clean
      }
      let (file, former) = try mark(directory)
      var begun = file
      begun.sessions = [(session, announce)]
      marked[directory] = begun
      if marked.count == 1 { CrashHandler.begin(Array(names.keys)) { await tell(names[$0]) } }
      return former
    }
  }

  /// Creates the file of a directory, or takes over the one that the last run left.
  private static func mark(_ directory: String) throws(Failure) -> (Marked, Former) {
    let path = "\(directory)/running"
    let wasThere = access(path, F_OK) == 0
    let (lock, bytes, descriptor) = try take(path, in: directory)
    guard CrashHandler.add(descriptor) else {
      close(descriptor)
      throw .tooManyDirectories
    }
    ftruncate(descriptor, 0)
    let signal = Int32(String(decoding: bytes, as: UTF8.self)).flatMap { names[$0] }
    return (
      Marked(path: path, lock: lock, descriptor: descriptor, sessions: []),
      wasThere ? .crashed(signal: signal) : .clean
    )
  }

  /// Locks, reads and opens a file.
  private static func take(
    _ path: String, in directory: String
  ) throws(Failure) -> (FileLock, [UInt8], Int32) {
    do throws(SystemError) {
      try PrivateFile.makeDirectory(directory)
      let lock = try FileLock(path, creating: true)
      let bytes = try WholeFile.bytes(of: path, upTo: 64)
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { throw .latest }
      return (lock, bytes, descriptor)
    } catch {
      throw error.code == EWOULDBLOCK ? .otherProgram : .system(error)
    }
  }

  /// Announces a crash in all running sessions.
  private static func tell(_ signal: String?) async {
    let sessions = marked.withLock { $0.values.flatMap(\.sessions) }
    for session in sessions { await session.announce(signal) }
  }

  /// Notes that a session ended normally, or is no longer watched.
  static func end(in directory: String, for session: SessionID) {
    marked.withLock { marked in
      guard let at = marked[directory]?.sessions.firstIndex(where: { $0.id == session }) else {
        return
      }
      // A crash stays noted, and decides how the program ends.
      guard !CrashHandler.isCrashing else { return CrashHandler.waitForEffect() }
      marked[directory]?.sessions.remove(at: at)
      guard let former = marked[directory], former.sessions.isEmpty else { return }
      marked[directory] = nil
      CrashHandler.remove(former.descriptor)
      if marked.isEmpty { CrashHandler.end() }
      unlink(former.path)
      close(former.descriptor)
      former.lock.release()
    }
  }

  /// The types of the actions about a crash.
  static let types: Set<Text> = ["crash/did", "crash/will"]

  /// The payload of an action about a crash.
  static func payload(_ signal: String?) -> Value {
    signal.map { ["signal": .string(Text($0))] } ?? .map(Map())
  }
}
