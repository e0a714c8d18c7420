import Testing

@testable import MoonCommand

/// The guides that `moonwire help` shows.
struct GuideTests {
  @Test(arguments: [
    ("WritingModules", "writing-modules"), ("RunningAsAService", "running-as-a-service"),
    ("HTTP", "http"), ("ComingFromVISPER", "coming-from-visper"), ("Types", "types"),
  ])
  func `a guide's name is typed in small letters`(name: String, topic: String) {
    #expect(Guide.topic(of: name) == topic)
    for typed in [topic, name, topic.replacing("-", with: " ")] {
      #expect(Guide.named(typed)?.name == name, "\(typed)")
    }
  }

  @Test func `each guide has a name of its own and says what it is for`() {
    let guides = Guide.all
    #expect(Set(guides.map(\.topic)).count == guides.count && guides.count > 30)
    for guide in guides {
      #expect(guide.text.hasPrefix("# ") && guide.abstract.hasSuffix("."), "\(guide.name)")
    }
    #expect(Guide.named("nothing") == nil)
  }
}
