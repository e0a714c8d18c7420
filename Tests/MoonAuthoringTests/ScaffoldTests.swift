import Foundation
import MoonAuthoring
import MoonPrompt
import MoonServices
import MoonTerminal
import MoonTestSupport
import MoonTesting
import Moonwire
import Testing

/// New apps and modules.
@Suite struct ScaffoldTests {
  /// Checks an app that grants nothing, and runs its tests; returns how many there are.
  private func inspect(_ directory: String) async throws -> Int {
    let app = AppInspection(
      of: directory, ConfiguredSettings(set: [:], file: nil, environment: [:]),
      options: {
        var options = HostOptions()
        options.services = Service.standard
        return options
      }, addBuiltIns: { _ throws(HostError) in })
    let reports = try await app.check().reports
    #expect(reports.isEmpty, "\(reports.map(\.headline))")
    let results = try await app.testRun(matching: nil).results
    for result in results where result.failure != nil { Issue.record("\(result)") }
    return results.count
  }

  private func contents(of folder: ScriptFolder, below path: String = "") -> [String] {
    let files = FileManager.default.enumerator(atPath: folder.path(path))
    return (files?.allObjects as? [String] ?? []).sorted()
  }

  @Test(arguments: AppTemplate.allCases)
  func `an app, and what is added to it, has no problems and passes its tests`(
    template: AppTemplate
  ) async throws {
    let folder = try ScriptFolder()
    let app = folder.path("shop")
    try Scaffold(app: "shop", from: template).write(into: app)
    let count = try await inspect(app)
    #expect(count >= 2)
    let readme = try String(contentsOfFile: "\(app)/README.md", encoding: .utf8)
    #expect(readme.hasPrefix("# shop\n") && readme.split(separator: "\n").count <= 10)
    #expect(contents(of: folder, below: "shop").contains(".gitignore"))

    try Scaffold(#require(ModuleName("cart")), from: .module).write(into: app)
    try Scaffold(#require(ModuleName("about_us")), from: .screen).write(into: app)
    #expect(try await inspect(app) == count + 3)
    let screen = try String(contentsOfFile: "\(app)/about_us.lua", encoding: .utf8)
    #expect(screen.contains(#"title = "About us""#) && screen.contains("/about_us"))
  }

  @Test func `a repository without commits counts as empty, and anything else doesn't`() throws {
    let folder = try ScriptFolder()
    try folder.makeDirectory(".git")
    try Scaffold(app: "app", from: .minimal).write(into: folder.root)
    let before = contents(of: folder)
    #expect {
      try Scaffold(app: "app", from: .tabs).write(into: folder.root)
    } throws: { error in
      guard case .notEmpty(folder.root, _) = error as? ScaffoldError else { return false }
      return true
    }
    #expect(contents(of: folder) == before)
  }

  @Test(arguments: ["cart.lua", "cart/init.lua", "tests/cart.lua"])
  func `nothing is replaced, and nothing is left of what can't be made whole`(
    file: String
  ) throws {
    let folder = try ScriptFolder([file: "return {}"])
    let before = contents(of: folder)
    #expect(throws: ScaffoldError.self) {
      try Scaffold(#require(ModuleName("cart")), from: .screen).write(into: folder.root)
    }
    #expect(contents(of: folder) == before)
  }

  @Test func `a directory that can't be made is named with the reason`() throws {
    let folder = try ScriptFolder(["file": ""])
    for (path, reason) in [
      ("/proc/app", "No such file"), (folder.path("file/app"), "Not a directory"),
      (folder.path("file"), "Not a directory"),
    ] {
      do throws(ScaffoldError) {
        try Scaffold(app: "app", from: .minimal).write(into: path)
        Issue.record("\(path) was made")
      } catch {
        let text = error.report.text(.plain)
        #expect(text.contains(path) && text.contains(reason), "\(text)")
        #expect(error.code == ExitStatus.cannotCreate)
      }
    }
  }

  @Test(arguments: ["", "2x", "a-b", "a b", "../x", "nav", "logger", "größe", "end"])
  func `what can't be a module's name is refused`(name: String) {
    let text = ScaffoldError.report(onName: name)?.text(.plain)
    #expect(text?.contains("'\(name)' can't be a module's name") == true, "\(text ?? "")")
  }
}
