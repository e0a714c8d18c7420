import Moonwire
import Testing

@testable import MoonServices

/// The variables that a script gives a program, without a program.
struct ProgramVariablesTests {
  /// Returns the texts of the variables for a module that needs, and is granted, `env:GIT_*`.
  private static func texts(adding own: Map) throws -> [String] {
    let needs = [try Scope(parsing: "env:GIT_*")]
    var grants = Grants()
    grants.allowed = needs.map { Grants.Rule($0) }
    let call = ServiceCall(
      function: "processes.run", module: ModuleName("m"), session: SessionID(number: 0), time: 0,
      Permissions(needs: needs, grants), ServiceSurroundings())
    return try ProgramVariables(adding: own, call).texts.map {
      String(decoding: $0.dropLast(), as: UTF8.self)
    }
  }

  @Test(arguments: [
    ("GIT_DIR", "."), ("LANG", "de_DE.UTF-8@euro"), ("LANGUAGE", "de:en_GB"), ("LC_ALL", ""),
    ("TZ", "UTC"), ("TZ", "Europe/Paris"), ("TZ", "America/Argentina/Buenos_Aires"),
    ("TZ", "Etc/GMT+1"), ("TZ", "CET-1CEST"), ("TERM", "xterm-256color"), ("COLUMNS", "80"),
  ])
  func `a variable that is granted, or only decides how texts look, is passed on`(
    name: String, value: String
  ) throws {
    let texts = try Self.texts(adding: [Key.string(Text(name)): .string(Text(value))])
    #expect(texts.contains("\(name)=\(value)"))
  }

  @Test(arguments: [
    ("LD_PRELOAD", "x.so"), ("BASH_ENV", "x"), ("git_DIR", "."), ("LANGUAGE", "../../data"),
    ("LANGUAGE", "de:/data"), ("LANGUAGE", "de:.."), ("LANG", "/data"), ("LC_ALL", "C/../x"),
    ("LC_MESSAGES", "./data"), ("TZ", "/etc/shadow"), ("TZ", ":UTC"), ("TZ", "Europe//Paris"),
    ("TZ", "Europe/Paris/"), ("TZ", "Europe/./Paris"), ("TERM", "../x"), ("TERM", ".x"),
    ("COLUMNS", "a/b c"),
  ])
  func `a variable that may make a program use a file needs its grant`(
    name: String, value: String
  ) throws {
    let refusal = GrantRefusal.notNeeded(.variable(name), try #require(ModuleName("m")))
    #expect(throws: refusal) {
      try Self.texts(adding: [Key.string(Text(name)): .string(Text(value))])
    }
  }
}
