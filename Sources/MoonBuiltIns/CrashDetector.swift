import Glibc
import Moonwire
import Synchronization

extension BuiltIn {
  /// `crash_detector`: announces with `crash/did` that the last run crashed, and with `crash/will`,
  /// as far as that is possible, that this one does.
  ///
  /// Both have the name of the signal in `signal`; a run that was killed, or that lost its power,
  /// left none. While a session is open, the file `running` in the directory says so.
  public static let crashDetector = BuiltIn(
    "crash_detector", "Announces with crash/did that the last run crashed",
    accompanying: { session, host, surroundings in
      guard let directory = surroundings.directory else {
        return surroundings.show("crash_detector: there is no directory to note runs in")
      }
      do throws(SystemError) {
        let former = try CrashMarker.begin(in: directory) { [weak host] signal in
          guard let host else { return }
          await Action("crash/will", CrashMarker.payload(signal)).tell(
            session, on: host, surroundings.show)
        }
        guard case .crashed(let signal) = former else { return }
        await Action("crash/did", CrashMarker.payload(signal)).tell(
          session, on: host, surroundings.show)
      } catch {
        surroundings.show(
          error.code == EWOULDBLOCK
            ? "crash_detector: another run has the directory \(directory)"
            : "crash_detector: \(directory): \(error)")
      }
    }
  ) { module, _ in
    module.state = ["crashed": false]
    module.reducers = [
      Reducer(announced: "crash/did") { slice, action in
        var crash = action.payload.mapValue ?? Map()
        crash["crashed"] = true
        slice = .map(crash)
      },
      Reducer(announced: "crash/will") { _, _ in },
    ]
    module.hooks.onStop = Hook { _ in CrashMarker.end() }
  }
}

/// The file that says that a program runs, and the signals that end it as a crash.
///
/// There is one for the process.
enum CrashMarker {
  /// The end of the last run.
  enum Former: Equatable {
    case clean
    /// It crashed by a signal; nil if it left none.
    case crashed(signal: String?)
  }

  /// The signals of a crash.
  private static let names: [Int32: String] = [
    SIGABRT: "SIGABRT", SIGILL: "SIGILL", SIGSEGV: "SIGSEGV", SIGFPE: "SIGFPE",
    SIGBUS: "SIGBUS", SIGTRAP: "SIGTRAP",
  ]

  private struct Marked {
    let path: String
    let lock: FileLock
    let descriptor: Int32
  }

  private static let marked = Mutex<Marked?>(nil)

  /// Marks that the program runs, and returns how the last run ended.
  ///
  /// On a signal of a crash, the handler notes it, and calls `announce` if another thread can; then
  /// the signal takes its usual effect. It waits ``CrashHandler/patience`` at most.
  ///
  /// - Throws: ``SystemError``, with `EWOULDBLOCK` if another program has the directory.
  static func begin(
    in directory: String, _ announce: @escaping @Sendable (_ signal: String?) async -> Void
  ) throws(SystemError) -> Former {
    try marked.withLock { marked throws(SystemError) in
      // A further session of the process.
      if marked != nil { return .clean }
      try PrivateFile.makeDirectory(directory)
      let path = "\(directory)/running"
      let wasThere = access(path, F_OK) == 0
      let lock = try FileLock(path, creating: true)
      let bytes = try WholeFile.bytes(of: path, upTo: 64)
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { throw .latest }
      ftruncate(descriptor, 0)
      marked = Marked(path: path, lock: lock, descriptor: descriptor)
      CrashHandler.begin(Array(names.keys), writingTo: descriptor) { await announce(names[$0]) }
      guard wasThere else { return .clean }
      return .crashed(signal: Int32(String(decoding: bytes, as: UTF8.self)).flatMap { names[$0] })
    }
  }

  /// Notes that the program ends as it should, or doesn't watch itself any more.
  static func end() {
    marked.withLock { marked in
      guard let former = marked else { return }
      // A crash stays noted, and decides how the program ends.
      guard !CrashHandler.isCrashing else { return CrashHandler.waitForEffect() }
      CrashHandler.end()
      unlink(former.path)
      close(former.descriptor)
      former.lock.release()
      marked = nil
    }
  }

  /// The types of the actions about a crash.
  static let types: Set<Text> = ["crash/did", "crash/will"]

  /// The payload of an action about a crash.
  static func payload(_ signal: String?) -> Value {
    signal.map { ["signal": .string(Text($0))] } ?? .map(Map())
  }
}
