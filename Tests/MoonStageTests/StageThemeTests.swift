import MoonTestSupport
import Moonwire
import Testing

@testable import MoonStage

/// Colours from a host config.
struct StageThemeTests {
  private func theme(_ text: String) throws -> StageTheme {
    let folder = try ScriptFolder(["theme.json": text])
    return try StageTheme(named: "\(folder.root)/theme.json", in: [:])
  }

  private static func colors(_ text: String) -> String {
    #"{"containerStyles":{"default":{"foregroundColors":{\#(text)}}},"spacing":{"small":3}}"#
  }

  @Test func `the colours of texts count, and what else a host config says doesn't`() throws {
    let found = try theme(
      Self.colors(
        ##""accent":{"default":"#2E86AB","subtle":"x"},"input":{"default":"#FF010203"},"dark":1"##))
    #expect(found.shades == [.magenta: 0x2E86AB, .input: 0x010203])
    for text in ["{}", #"{"containerStyles":{}}"#, Self.colors("")] {
      #expect(try theme(text) == StageTheme())
    }
  }

  @Test(arguments: [
    ("[]", "the file"), (#"{"containerStyles":1}"#, "containerStyles"),
    (
      colors(#""good":{"default":"red"}"#),
      "containerStyles.default.foregroundColors.good.default"
    ),
    (
      colors(##""good":{"default":"#-12345"}"##),
      "containerStyles.default.foregroundColors.good.default"
    ),
    (
      colors(#""good":{"default":7}"#), "containerStyles.default.foregroundColors.good.default"
    ),
  ])
  func `a wrong value is an error with its place`(text: String, place: String) throws {
    let error = #expect(throws: StageTheme.Problem.self) { try theme(text) }
    guard case .wrong(place, _, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a file that is named must be there, and a person's may be`() throws {
    let folder = try ScriptFolder([:])
    let config = ["XDG_CONFIG_HOME": folder.root]
    #expect(try StageTheme(named: nil, in: config) == StageTheme())
    #expect(throws: StageTheme.Problem.self) {
      try StageTheme(named: "\(folder.root)/theme.json", in: config)
    }
    try folder.save("moonwire/theme.json", Self.colors(##""good":{"default":"#000001"}"##))
    #expect(try StageTheme(named: nil, in: config).shades == [.green: 1])
    #expect(try StageTheme(named: nil, in: ["MOONWIRE_THEME": ""]) == StageTheme())
    #expect(throws: StageTheme.Problem.self) {
      try StageTheme(named: nil, in: ["MOONWIRE_THEME": "\(folder.root)/moonwire"])
    }
  }
}
