import ArgumentParser
import MoonAuthoring
import MoonPrompt
import MoonTerminal
import Moonwire

/// The options of what changes the modules of others.
struct ModulesOfOthersOptions: ParsableArguments {
  @OptionGroup var place: AppOption

  @Flag(help: "Write one JSON object a line to standard output, each with \"v\":1.")
  var json = false

  @Option(help: "When to use colours: auto, always or never. auto respects NO_COLOR.")
  var color = ColorOption.auto

  var changes: ModuleChanges {
    ModuleChanges(in: place.directory, ProcessEnvironment.variables)
  }

  var output: TerminalOutput {
    TerminalOutput(editor: nil, color: color.mode, environment: ProcessEnvironment.variables)
  }

  /// Reports why nothing has changed; returns the error to throw.
  func refusal(_ error: PackagesError) -> ExitCode {
    output.report(error.report, inJSON: json)
    return ExitCode(error.code)
  }

  /// Prints a result, and what follows from it.
  func print(_ text: AdditionText) {
    let output = self.output
    output.printResult(json ? [JSONRecord.line(text.record)] : text.lines(output.resultStyle))
    for notice in text.notices { output.printNotice(notice) }
    guard !json, let advice = text.advice(Shell.word(place.directory)) else { return }
    output.printNotice(advice)
  }
}

/// Adds a module of somebody else.
struct AddSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Adds a module of somebody else to an app.",
    discussion: """
      Copies the module with its libraries and tests from a folder, a script, an archive (tar or \
      zip) or a Git repository, and notes its origin and hash in moonwire.lock. It prints what the \
      module needs, and grants nothing. @REV after the address of a repository names a branch, a \
      tag or a commit. The exit code is 65 if there is no such module or the app has files of its \
      own at its paths, 66 if the origin can't be read, 69 without git or libarchive or if git \
      takes too long, and 73 if the files can't be written. Nothing has changed then.
      """)

  @Argument(
    help: ArgumentHelp(
      "A folder, a script, an archive, or the address of a Git repository.", valueName: "origin"),
    completion: .file())
  var origin: String

  @Option(
    help: "The module: one of several, or what the only one is called in the app.")
  var name: String?

  @OptionGroup var options: ModulesOfOthersOptions

  func validate() throws {
    if origin.isEmpty { throw ValidationError("the origin is empty") }
    if let name, let report = ScaffoldError.report(onName: name) {
      throw ValidationError("--name: \(report.headline)")
    }
  }

  func run() async throws {
    do throws(PackagesError) {
      let addition = try await options.changes.add(
        ModuleOrigin(origin), named: name.flatMap { ModuleName($0) })
      options.print(AdditionText(addition))
    } catch {
      throw options.refusal(error)
    }
  }
}

/// Brings modules of others again.
struct UpdateSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update", abstract: "Brings modules of others as they are now at their origins.",
    discussion: """
      Without a name, all of them. Files that are missing come back. A module that was changed by \
      hand stays as it is, unless --force is given.
      """)

  @Argument(help: "The module.") var name: String?

  @Flag(help: "Overwrite what was changed by hand.") var force = false

  @OptionGroup var options: ModulesOfOthersOptions

  func run() async throws {
    var failure: ExitCode?
    do throws(PackagesError) {
      for module in try names() {
        do throws(PackagesError) {
          options.print(
            AdditionText(try await options.changes.update(module, evenIfChanged: force)))
        } catch {
          failure = options.refusal(error)
        }
      }
    } catch {
      failure = options.refusal(error)
    }
    if let failure { throw failure }
  }

  private func names() throws(PackagesError) -> [ModuleName] {
    let known = try ModuleLock(of: options.place.directory).modules.keys.sorted()
    guard let name else { return known }
    guard let module = ModuleName(name) else { throw .needsName(name) }
    return [module]
  }
}

/// Removes a module of somebody else.
struct RemoveSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes a module that add has added, with its files.",
    discussion: "Libraries that other modules have stay, and so do files that were put beside it.")

  @Argument(help: "The module.") var name: String

  @Flag(help: "Remove also what was changed by hand.") var force = false

  @OptionGroup var options: ModulesOfOthersOptions

  func run() async throws {
    do throws(PackagesError) {
      guard let module = ModuleName(name) else { throw .needsName(name) }
      let left = try options.changes.remove(module, evenIfChanged: force)
      let output = options.output
      if options.json {
        output.printResult([
          JSONRecord.line([
            "kind": "remove", "module": .string(Text(name)), "left": AdditionText.list(left),
          ])
        ])
      } else {
        output.printResult(["removed module \(name)"])
        for path in left { output.printNotice(Report(.note, "\(path) stays: it was put there")) }
      }
    } catch {
      throw options.refusal(error)
    }
  }
}

/// Compares the modules of others with what was added.
struct VerifySubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Shows what was changed by hand in modules of others.",
    discussion: "The exit code is 1 if anything was changed.")

  @OptionGroup var options: ModulesOfOthersOptions

  func run() async throws {
    let differences: [ModuleChanges.Difference]
    let count: Int
    do throws(PackagesError) {
      (differences, count) = try options.changes.verify()
    } catch {
      throw options.refusal(error)
    }
    let output = options.output
    let summary = differences.isEmpty ? ["\(Wording.counted(count, "module")) as added"] : []
    output.printResult(
      options.json
        ? differences.map { JSONRecord.line($0.record) }
        : differences.map { $0.line(output.resultStyle) } + summary)
    if !differences.isEmpty { throw ExitCode(ExitStatus.problemsFound) }
  }
}

extension ModuleChanges.Difference {
  fileprivate func line(_ style: Style) -> String {
    "\(style.paint(kind.rawValue, kind == .added ? .key : .warning))  "
      + "\(TerminalText.singleLine(path))  of module \(module)"
  }

  fileprivate var record: Map {
    [
      "kind": "difference", "module": .string(Text(module.text)), "path": .string(Text(path)),
      "difference": .string(Text(kind.rawValue)),
    ]
  }
}
