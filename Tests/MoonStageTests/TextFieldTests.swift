import Testing

@testable import MoonStage

/// Texts that a person edits.
struct TextFieldTests {
  private static func pressed(
    _ keys: [StageKey], in text: String, isMultiline: Bool = false, isSecret: Bool = false
  ) -> TextField {
    var field = TextField(text, isMultiline: isMultiline, isSecret: isSecret)
    for key in keys { _ = field.take(key) }
    return field
  }

  private static let back = StageKey.selecting(.left)

  @Test(arguments: [
    ([back, back, .character("x")], "helx"), ([back, .backspace], "hell"),
    ([.home, .selecting(.right), .selecting(.right), .delete], "llo"),
    ([.selecting(.home), .character("b")], "b"), ([.home, .selecting(.end), .control("x")], ""),
    ([back, back, .left, .character("x")], "helxlo"),
    ([back, back, .right, .character("x")], "hellox"),
    ([back, .selecting(.right), .character("x")], "hellox"),
    ([back, back, .control("x"), .home, .control("y")], "lohel"),
    ([.control("w"), .control("y"), .control("y")], "hellohello"),
    ([.home, .right, .control("k"), .control("a"), .control("y")], "elloh"),
    ([back, back, .character("x"), .character("y"), .control("_")], "helx"),
    ([back, back, .character("x"), .control("_")], "hello"),
    ([.character(" "), .character("y"), .wordLeft, .wordLeft, .character("x")], "xhello y"),
    ([.home, .wordRight, .character("x")], "hellox"),
  ])
  func `what is selected is replaced, removed, cut and inserted`(
    keys: [StageKey], text: String
  ) {
    #expect(Self.pressed(keys, in: "hello").text == text)
  }

  @Test func `in several lines, Shift with up and down selects over their ends`() {
    let up = Self.pressed([.selecting(.up), .delete], in: "one\ntwo", isMultiline: true)
    #expect(up.text == "one")
    let all = Self.pressed(
      [.selecting(.up), .selecting(.up), .delete], in: "one\ntwo", isMultiline: true)
    #expect(all.text == "")
  }

  @Test(arguments: [StageKey.control("x"), .control("y")])
  func `where nothing is selected or cut, the keys are left to the app`(key: StageKey) {
    var field = TextField("hello")
    let isTaken = field.take(key)
    #expect(!isTaken && field.text == "hello")
  }

  @Test func `a password can be cut, and isn't kept`() {
    let field = Self.pressed([.selecting(.home), .control("x")], in: "secret", isSecret: true)
    #expect(field.text == "" && field.clip == "")
  }

  @Test func `what is selected is told by its columns, where characters are wide, too`() {
    let shown = Self.pressed([Self.back, Self.back], in: "ab日本").shown(width: 20, rowCount: 1)
    #expect(shown.selected == [2..<6])
    let narrow = Self.pressed([.selecting(.home)], in: "abcdef").shown(width: 4, rowCount: 1)
    #expect(narrow.selected == [0..<4])
    let none = Self.pressed([.left], in: "abc").shown(width: 4, rowCount: 1)
    #expect(none.selected == [0..<0])
  }

  @Test func `whatever keys are pressed, the text stays within its ends and can be shown`() {
    let keys: [StageKey] = [
      .character("a"), .character("日"), .enter, .backspace, .delete, .control("w"), .control("u"),
      .control("k"), .control("x"), .control("y"), .control("_"), .left, .right, .up, .down, .home,
      .end, .selecting(.left), .selecting(.right), .selecting(.up), .selecting(.down),
      .selecting(.home), .selecting(.end),
    ]
    var random = SystemRandomNumberGenerator()
    for _ in 1...300 {
      let pressed = (1...40).map { _ in keys.randomElement(using: &random) ?? .left }
      let field = Self.pressed(pressed, in: "one\ntwo", isMultiline: true)
      let shown = field.shown(width: 3, rowCount: 2)
      #expect((0...field.characters.count).contains(field.cursor), "\(pressed)")
      #expect(shown.rows.count == shown.selected.count && shown.rows.count <= 2, "\(pressed)")
    }
  }
}
