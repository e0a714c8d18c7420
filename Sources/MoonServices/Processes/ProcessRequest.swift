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
    let variables = try ProgramVariables(adding: environment ?? Map(), call)
    self.name = name
    self.input = input ?? []
    self.seconds = seconds
    self.directory = directory
    configuration = Configuration(
      executable: .path(FilePath(program.path)),
      arguments: Arguments(Array(command.dropFirst())),
      environment: .custom(variables.texts),
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
}
