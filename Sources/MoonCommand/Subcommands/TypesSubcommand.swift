import ArgumentParser
import MoonAuthoring
import MoonPrompt
import Moonwire

/// Writes annotations for editors.
struct TypesSubcommand: AsyncParsableCommand, HostCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Writes types for editors: those of moon, and of the app's own names.",
    discussion: """
      Writes DIR/types/moonwire.lua, from which lua-language-server knows `moon`, `self`, the \
      keys of modules and the services, and the actions, payloads, slices, settings, routes, \
      screens and commands of the app; and DIR/.luarc.json with its settings, if there is none. \
      While the file is there, `moonwire run` and `moonwire serve` keep it in step with the \
      modules. No module is started.

      The exit code is 0 if the file is up to date, 66 if the directory doesn't exist, and 73 if \
      the file can't be written, or wasn't written by this command.
      """)

  @OptionGroup var scripts: DirectoryArgument

  @Flag(help: "Replaces the file whoever has written it.")
  var force = false

  @OptionGroup var limits: LimitOptions

  @OptionGroup var grants: GrantOptions

  @OptionGroup var urls: URLOptions

  @OptionGroup var data: DataOption

  @OptionGroup var moduleSettings: SettingOptions

  @OptionGroup var builtIns: BuiltInOptions

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let inspection = try await Inspection(of: scripts, display, settings) {
      // What a module needs says nothing about its types, and none is started.
      $0.grants.allowsAll = true
    }
    let outline = await inspection.host.perform { AppOutline(of: $0) }
    await inspection.reportProblems()
    await inspection.host.close()
    do throws(TypesFileError) {
      let outcome = try TypesFile(in: scripts.directory).write(
        TypesFile.text(of: outline), replacingAny: force)
      let path = "\(scripts.directory)/\(TypesFile.path)"
      if display.json {
        inspection.output.printResult([
          JSONRecord.line([
            "kind": "types", "file": .string(Text(path)), "written": .bool(outcome == .written),
          ])
        ])
      } else {
        inspection.output.printResult([outcome == .written ? path : "\(path) is up to date"])
      }
    } catch {
      throw inspection.refusal(error.report, ExitStatus.cannotCreate)
    }
  }
}
