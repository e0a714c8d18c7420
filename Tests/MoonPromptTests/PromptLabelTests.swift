import MoonTerminal
import Testing

@testable import MoonPrompt

/// The label before a line that is typed.
struct PromptLabelTests {
  private func text(_ title: String?, isFailing: Bool = false) -> String {
    var snapshot = PromptSnapshot()
    snapshot.title = title
    snapshot.isFailing = isFailing
    return PromptLabel(name: "app", style: .plain).text(snapshot)
  }

  @Test func `it names the app and the screen on top, and marks what fails`() {
    #expect(text(nil) == "app> ")
    #expect(text("Things") == "app [Things]> ")
    #expect(text("Things", isFailing: true) == "app [Things]!> ")
    #expect(text(nil, isFailing: true) == "app!> ")
  }

  @Test func `a title stays short and can't steer the terminal`() {
    #expect(text("a\u{1B}[2J\nb") == "app [a\\u{1B}[2J b]> ")
    let long = text(String(repeating: "x", count: 500))
    #expect(long == "app [" + String(repeating: "x", count: 23) + "…]> ")
  }
}
