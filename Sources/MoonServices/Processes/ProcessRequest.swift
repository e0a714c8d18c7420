import Glibc
import MoonFiles
import Moonwire
import Subprocess
import SystemPackage

/// A checked request to run a program.
struct ProcessRequest: Sendable {
  /// The longest time that a script can give a process, in seconds: a week.
  static let secondsMax = 604_800.0

  /// The name that the script used for the program.
  let name: String
  let input: [UInt8]
  let seconds: Double?
  let directory: String?
  let configuration: Configuration

  /// - Throws: ``ProcessFailure``, ``FileFailure`` or ``GrantRefusal``.
  init(
    _ command: [String], input: [UInt8]?, directory: String?, environment: Map?,
    seconds: Double?, _ call: ServiceCall
  ) throws {
    guard let name = command.first, !name.isEmpty else { throw ProcessFailure.noProgram }
    guard !command.contains(where: { $0.utf8.contains(0) }) else { throw ProcessFailure.nulByte }
    let program = try Program(name, call)
    self.name = name
    self.input = input ?? []
    self.seconds = seconds
    self.directory = directory
    configuration = Configuration(
      executable: .path(FilePath(program.path)),
      arguments: Arguments(Array(command.dropFirst())),
      environment: try Self.environment(adding: environment ?? Map(), call),
      workingDirectory: try Self.directory(directory, call).map { FilePath($0) },
      platformOptions: Self.options)
  }

  /// A separate session: a process group that can be ended as a whole, and no terminal to ask on.
  private static var options: PlatformOptions {
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = ProcessEnding.steps
    return options
  }

  private static func directory(_ directory: String?, _ call: ServiceCall) throws -> String? {
    guard let directory else { return call.surroundings.scriptDirectory }
    let path = ResolvedPath(try GivenPath(directory, call.surroundings).absolute).text
    if path != call.surroundings.scriptDirectory.map({ ResolvedPath($0).text }) {
      try call.require(.read, path: path)
    }
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
      throw ProcessFailure.noDirectory(directory)
    }
    return path
  }

  /// The host's variables that programs receive: who and where they are, language and time zone.
  ///
  /// Others may hold secrets.
  private static let passedOn = [
    "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY",
    "LC_NUMERIC", "LC_TIME", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER",
  ]

  /// The variables that need no grant, since they decide on nothing but how texts look.
  private static let harmless: Set<String> = [
    "CLICOLOR", "COLUMNS", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES",
    "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "LINES", "NO_COLOR", "TERM", "TZ",
  ]

  /// Returns the variables of the program: the host's that are passed on, and the script's own.
  ///
  /// Those of the script need `env:NAME`: the loader, shells and interpreters run what variables
  /// such as `LD_PRELOAD` and `BASH_ENV` name, which no list can have all of.
  private static func environment(adding own: Map, _ call: ServiceCall) throws -> Environment {
    var variables: [String: String] = [:]
    for name in passedOn { variables[name] = getenv(name).map { String(cString: $0) } }
    for (key, value) in own {
      guard case .string(let text) = key, isVariable(text.string) else {
        throw ProcessFailure.badVariable("\(key)")
      }
      switch value {
      case .string(let content) where !content.string.utf8.contains(0):
        if !harmless.contains(text.string) { try call.require(.variable(text.string)) }
        variables[text.string] = content.string
      case .bool(false): variables[text.string] = nil
      default: throw ProcessFailure.badVariable(text.string)
      }
    }
    return .custom(variables.map { Array("\($0)=\($1)".utf8) + [0] })
  }

  private static func isVariable(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
    return !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "=") }
  }
}
