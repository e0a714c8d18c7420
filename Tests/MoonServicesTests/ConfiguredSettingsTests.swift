import Foundation
import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// Settings from the command line, a file and the environment.
struct ConfiguredSettingsTests {
  private func host(
    set: [String: String] = [:], file: String? = nil, environment: [String: String] = [:]
  ) async throws -> (Moonwire.Host, ConfiguredSettings, ScriptFolder) {
    let folder = try ScriptFolder([
      "m.lua": """
      return { settings = { a = { "string", default = "-" }, n = { "integer", default = 0 },
        on = { "boolean", default = false }, all = { "string[]", default = {} } } }
      """
    ])
    let settings = ConfiguredSettings(set: set, file: file, environment: environment)
    try settings.reload()
    var options = HostOptions()
    options.settings = settings.source
    let host = try Moonwire.Host(directory: folder.root, options: options)
    try await host.load()
    return (host, settings, folder)
  }

  private func values(_ host: Moonwire.Host) async throws -> [String] {
    #expect(await host.moduleInfos().flatMap(\.problems).map(\.description) == [])
    let name = try #require(ModuleName("m"))
    return await host.perform { host in
      host.settings(of: name).map { "\($0.setting.name)=\($0.value?.canonicalText ?? "none")" }
    }.sorted()
  }

  @Test func `the command line comes before the file, and that before the environment`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = folder.path + "/settings.json"
    try #"{"m": {"a": "file", "n": 2, "on": true, "all": ["x", "y"]}}"#.write(
      toFile: file, atomically: true, encoding: .utf8)
    let environment = ["MOONWIRE_M_A": "env", "MOONWIRE_M_N": "3"]
    let (first, _, _) = try await host(environment: environment)
    #expect(try await values(first) == [#"a="env""#, "all={}", "n=3", "on=false"])
    let (second, settings, _) = try await host(file: file, environment: environment)
    #expect(try await values(second) == [#"a="file""#, #"all=["x","y"]"#, "n=2", "on=true"])
    let (third, _, _) = try await host(
      set: ["m.a": "set", "m.all": #"["z"]"#], file: file, environment: environment)
    #expect(try await values(third) == [#"a="set""#, #"all=["z"]"#, "n=2", "on=true"])
    try "\u{FEFF}{\"m\": {\"a\": \"new\"}}".write(toFile: file, atomically: true, encoding: .utf8)
    try settings.reload()
    await second.updateSettings()
    #expect(try await values(second) == [#"a="new""#, "all={}", "n=3", "on=false"])
  }

  /// Names of modules and settings, and the variables that give them.
  static let variables: [(module: String, setting: String, variable: String)] = [
    ("weather", "city", "MOONWIRE_WEATHER_CITY"),
    ("weather", "apiKey", "MOONWIRE_WEATHER_API_KEY"),
    ("weather", "api_key", "MOONWIRE_WEATHER_API_KEY"),
    ("weather", "key2", "MOONWIRE_WEATHER_KEY2"), ("v2Cart", "URL", "MOONWIRE_V2CART_URL"),
    ("cartAPIs", "APIKey", "MOONWIRE_CART_APIS_APIKEY"), ("a", "b", "MOONWIRE_A_B"),
    ("a_b", "c", "MOONWIRE_A_B_C"), ("a", "max-size.mb", "MOONWIRE_A_MAX_SIZE_MB"),
    ("a", "_x", "MOONWIRE_A__X"), ("a", "größe", "MOONWIRE_A_GRÖSSE"),
  ]

  @Test(arguments: variables)
  func `a variable has the words of the names in capitals`(
    module: String, setting: String, variable: String
  ) throws {
    let name = try #require(ModuleName(module))
    let declared = try #require(Setting(setting, type: "string"))
    #expect(declared.variable(of: name) == variable)
  }

  @Test func `the name of a variable is told as it is read`() async throws {
    let folder = try ScriptFolder([
      "m.lua": "return { settings = { apiKey = { 'integer' } } }"
    ])
    func problems(_ environment: [String: String]) async throws -> [String] {
      var options = HostOptions()
      options.settings =
        ConfiguredSettings(set: [:], file: nil, environment: environment).source
      let host = try Moonwire.Host(directory: folder.root, options: options)
      try await host.load()
      return await host.moduleInfos().flatMap(\.problems).map(\.description)
    }
    let missing = try await problems([:])
    #expect(missing.count == 1 && missing[0].contains("MOONWIRE_M_API_KEY in"), "\(missing)")
    let wrong = try await problems(["MOONWIRE_M_API_KEY": "x"])
    #expect(wrong.count == 1 && wrong[0].contains("MOONWIRE_M_API_KEY gives"), "\(wrong)")
    #expect(try await problems(["MOONWIRE_M_API_KEY": "1"]) == [])
  }

  @Test func `null in the file gives what a missing setting gives`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/settings.json"
    try #"{"m": {"a": null, "n": 2}}"#.write(toFile: file, atomically: true, encoding: .utf8)
    let (given, _, _) = try await host(file: file)
    let (missing, _, _) = try await host(set: ["m.n": "2"])
    #expect(try await values(given) == values(missing))
  }

  /// Returns the problems of modules by the modules' names.
  private func problems(_ files: [String: String]) async throws -> [String] {
    let folder = try ScriptFolder(files)
    let host = try Moonwire.Host(directory: folder.root)
    try await host.load()
    return await host.moduleInfos().flatMap { module in
      module.problems.map { "\(module.name): \($0)" }
    }
  }

  private static func module(_ settings: String) -> String {
    "return { settings = { \(settings) } }"
  }

  @Test(arguments: [
    ["weather.lua": "api_key", "weather_api.lua": "key"],
    ["Weather.lua": "key", "weather.lua": "key"], ["a.lua": "b_c", "a_b.lua": "c"],
  ])
  func `settings of two modules with one variable are refused, both of them`(
    settings: [String: String]
  ) async throws {
    let files = settings.mapValues { Self.module("\($0) = { 'string', default = '' }") }
    let problems = try await problems(files)
    #expect(problems.count == 2, "\(problems)")
    #expect(problems.allSatisfy { $0.contains("in the environment, as ") }, "\(problems)")
  }

  @Test func `settings of one module with one variable are refused`() async throws {
    let found = try await problems([
      "m.lua": Self.module(
        "apiKey = { 'string', default = '' }, api_key = { 'string', default = '' }")
    ])
    #expect(found.count == 1 && found[0].contains("MOONWIRE_M_API_KEY"), "\(found)")
  }

  @Test func `a module in service keeps its settings from one that comes later`() async throws {
    let folder = try ScriptFolder([
      "weather.lua": Self.module("api_key = { 'string', default = '' }")
    ])
    let host = try Moonwire.Host(directory: folder.root)
    try await host.load()
    try folder.save(
      "weather_api.lua", Self.module("key = { 'string', default = '' }, x = { 'string?' }"))
    await host.reload()
    let infos = await host.moduleInfos()
    #expect(infos.map { "\($0.name) \($0.status)" } == ["weather running", "weather_api failed"])
    try folder.save("weather_api.lua", Self.module("x = { 'string?' }"))
    await host.reload()
    #expect(await host.moduleInfos().allSatisfy { $0.problems.isEmpty })
  }

  @Test func `a variable that is empty gives an empty text`() async throws {
    let (host, _, _) = try await host(environment: ["MOONWIRE_M_A": "", "m_a": "no"])
    #expect(try await values(host).first == #"a="""#)
  }

  @Test(arguments: [
    #"{"m": {"n": "many"}}"#, #"{"m": {"n": 1.5}}"#, #"{"m": {"n": [1]}}"#,
    #"{"m": {"on": "perhaps"}}"#, #"{"m": {"on": 1}}"#, #"{"m": {"a": {"x": 1}}}"#,
  ])
  func `a wrong value names the setting and the file`(text: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/settings.json"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let (host, _, _) = try await host(file: file)
    let problems = await host.moduleInfos().flatMap(\.problems).map(\.description)
    #expect(problems.count == 1 && problems[0].contains("can't be used"), "\(problems)")
    #expect(problems.first?.contains("\(file):1") ?? false, "\(problems)")
  }

  @Test(arguments: [
    ("{\n \"m\": {\n  \"a\": \"x\",\n  \"n\": \"many\"}}", 4),
    ("{\"x\": {\"n\": 1},\n\"m\": {\"a\": \"\\\"n\\\":\\n{\",\n\n\"\\u006e\": \"many\"}}", 4),
    ("{\"m\": {\"all\": [\"n\",\n\"n\"],\n\"n\": {\"n\":\n1}}}", 3),
  ])
  func `a wrong value names the line of its key`(text: String, line: Int) async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/settings.json"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let (host, _, _) = try await host(file: file)
    let problems = await host.moduleInfos().flatMap(\.problems).map(\.description)
    #expect(problems.count == 1 && problems[0].contains("\(file):\(line) gives"), "\(problems)")
  }

  static let refused: [(text: String, problem: String)] = [
    ("{", "line 1, column 2: the JSON ends too early"), ("[]", "it isn't a table of modules"),
    ("7", "it isn't a table of modules"), ("{\n\"m\": 7}", "line 2: 'm' isn't a table of settings"),
    (String(repeating: " ", count: 2 << 20), "it has more than 1024 KB"),
  ]

  @Test(arguments: refused)
  func `a file that isn't a table of tables is refused`(
    text: String, problem: String
  ) async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/settings.json"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let error = await #expect(throws: SettingsFileError.self) { _ = try await host(file: file) }
    #expect(error?.description == problem)
  }

  @Test func `a file that isn't there, and a directory, are refused`() async throws {
    let folder = try TemporaryFolder()
    for path in [folder.path + "/none", folder.path] {
      await #expect(throws: SettingsFileError.self) { _ = try await host(file: path) }
    }
  }

  @Test func `a setting that no module has is named, with the nearest`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/settings.json"
    try "{\"m\": {\"on\": true, \"onn\": true},\n \"mm\": {\"all\": []}}".write(
      toFile: file, atomically: true, encoding: .utf8)
    let (host, settings, scripts) = try await host(set: ["m.a": "x", "x.yz": "1"], file: file)
    let unknown = await host.perform { settings.unknown(in: $0) }
    #expect(
      unknown.map { "\($0.key) \($0.nearest ?? "-")" } == ["x.yz -", "m.onn m.on", "mm.all m.all"])
    #expect(unknown.map(\.origin) == ["--set", "\(file):1", "\(file):2"])
    try scripts.save("x.lua", "return {")
    await host.reload()
    #expect(await host.perform { settings.unknown(in: $0) }.map(\.key) == ["m.onn", "mm.all"])
  }

  @Test(arguments: ["", "m", ".m.a", "m..a", "m.a.b", "M.a"])
  func `a key that isn't a module and a setting gives nothing, and is named`(
    key: String
  ) async throws {
    let (host, settings, _) = try await host(set: [key: "x"])
    #expect(try await values(host).first == #"a="-""#)
    #expect(await host.perform { settings.unknown(in: $0) }.count == 1)
  }
}
