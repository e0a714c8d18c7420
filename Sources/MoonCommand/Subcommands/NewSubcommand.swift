import ArgumentParser
import Logging
import MoonAuthoring
import MoonPrompt
import MoonServices
import MoonTerminal
import Moonwire

/// Makes something new.
struct NewSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Makes a new app, or a module in an app, with tests.",
    discussion: """
      `moonwire new DIR` is short for `moonwire new dir DIR`; --template chooses what the app \
      begins with: minimal, tabs or service. What is made runs, and passes its \
      tests. No file is replaced, and after an error nothing is left behind. The exit code is 64 \
      if a name can't be a module's, and 73 if the files can't be made.
      """,
    subcommands: [
      NewDirectorySubcommand.self, NewModuleSubcommand.self, NewScreenSubcommand.self,
    ],
    defaultSubcommand: NewDirectorySubcommand.self)

  /// Writes the files and names them.
  fileprivate static func make(
    _ scaffold: Scaffold, in directory: String, then advice: String, hasTypes: Bool = false
  ) async throws {
    let output = TerminalOutput(
      editor: nil, color: .auto, environment: ProcessEnvironment.variables)
    do throws(ScaffoldError) {
      try scaffold.write(into: directory)
    } catch {
      output.printNotice(error.report)
      throw ExitCode(error.code)
    }
    let place = directory == "." ? "" : directory.hasSuffix("/") ? directory : "\(directory)/"
    var made = scaffold.files.map(\.path)
    let types = TypesFile(in: directory)
    if hasTypes || types.isKept, let outline = await outline(of: directory) {
      do throws(TypesFileError) {
        if try types.write(TypesFile.text(of: outline)) == .written {
          made.append(TypesFile.path)
        }
      } catch {
        // The app is there without them.
        output.printNotice(error.report)
      }
    }
    output.printResult(made.map { "made \(place)\($0)" })
    output.printNotice(advice)
  }

  /// Returns the names of an app; nil if its directory can't be read.
  private static func outline(of directory: String) async -> AppOutline? {
    var options = HostOptions()
    options.logger.logLevel = .critical
    options.services = Service.standard
    // What a module needs says nothing about its types, and none is started.
    options.grants.allowsAll = true
    guard let host = try? Host(directory: directory, options: options) else { return nil }
    let isLoaded = (try? await host.load()) != nil
    let outline = await host.perform { AppOutline(of: $0) }
    await host.close()
    return isLoaded ? outline : nil
  }
}

/// Makes a directory with an app.
struct NewDirectorySubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dir", abstract: "Makes a directory with a new app.")

  @Argument(
    help: ArgumentHelp("The directory, which is missing or empty.", valueName: "directory"),
    completion: .directory)
  var directory: String

  @Option(
    help: """
      What the app begins with: minimal (a module with a screen), tabs (two modules in tabs, and \
      a library) or service (a module without screens, for moonwire serve).
      """)
  var template = AppTemplate.minimal

  func validate() throws {
    if directory.isEmpty {
      throw ValidationError("the name of the directory is empty: . is the current directory")
    }
  }

  func run() async throws {
    let name = ScriptDirectory(root: directory).root.split(separator: "/").last.map(String.init)
    try await NewSubcommand.make(
      Scaffold(app: name ?? "", from: template), in: directory,
      then: "run it with: moonwire run \(Shell.word(directory))", hasTypes: true)
  }
}

extension AppTemplate: ExpressibleByArgument {}

/// The options of what makes a module.
struct NewModuleOptions: ParsableArguments {
  @Argument(help: "The name of the module: a letter, then letters, digits and _.")
  var name: String

  @OptionGroup var place: AppOption

  func make(_ template: ModuleTemplate, then advice: (String) -> String) async throws {
    let output = TerminalOutput(
      editor: nil, color: .auto, environment: ProcessEnvironment.variables)
    let report = ScaffoldError.report(onName: name)
    if let report { output.printNotice(report) }
    guard let module = ModuleName(name), report == nil else {
      throw ExitCode(ExitStatus.usageError)
    }
    try await NewSubcommand.make(
      Scaffold(module, from: template), in: place.directory,
      then: advice(Shell.word(place.directory)))
  }
}

/// Makes a module.
struct NewModuleSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "module", abstract: "Makes a module with state, actions and reducers.")

  @OptionGroup var options: NewModuleOptions

  func run() async throws {
    try await options.make(.module) { "test it with: moonwire test \($0)" }
  }
}

/// Makes a screen.
struct NewScreenSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screen", abstract: "Makes a module with a route, and a screen with a form.")

  @OptionGroup var options: NewModuleOptions

  func run() async throws {
    try await options.make(.screen) { [name = options.name] place in
      "see it with: moonwire open /\(name) --at \(place)"
    }
  }
}
