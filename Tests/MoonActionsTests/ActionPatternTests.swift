import MoonActions
import MoonValues
import Testing

struct ActionPatternTests {
  @Test(arguments: [
    ("add", ActionPattern.exact("counter/add")),
    ("counter/add", .exact("counter/add")),
    ("auth/logged_out", .exact("auth/logged_out")),
    ("a/b/c", .exact("a/b/c")),
    ("a-b.c_9", .exact("counter/a-b.c_9")),
    ("todo/*", .family(prefix: "todo/")),
    ("todo/items/*", .family(prefix: "todo/items/")),
    ("*", .all),
  ])
  func `a pattern is one's own type, a foreign one, a family or all`(
    text: String, expected: ActionPattern
  ) {
    #expect(ActionPattern(text, owner: "counter") == expected)
  }

  @Test(arguments: [
    "", "/", "a/", "/a", "a//b", "**", "*/x", "a*", "todo/a*", "a/*/b", "/*", "a b", "a/ü", "a/b?",
    "a/b\n", "*/*",
  ])
  func `what isn't a pattern is refused`(text: String) {
    #expect(ActionPattern(text, owner: "counter") == nil)
  }

  @Test(arguments: ["add", "other/add", "other/*", "*", "a/b/*"])
  func `a description reads back to the same pattern for another owner`(text: String) throws {
    let pattern = try #require(ActionPattern(text, owner: "counter"))
    #expect(ActionPattern(pattern.description, owner: "somebody") == pattern)
  }

  @Test(arguments: [
    ("todo/add", "todo/add", true),
    ("todo/add", "todo/added", false),
    ("todo/add", "todo/ad", false),
    ("todo/*", "todo/add", true),
    ("todo/*", "todo/items/add", true),
    ("todo/*", "todos/add", false),
    ("todo/*", "todo", false),
    ("*", "anything/at_all", true),
  ])
  func `a pattern matches the types it means`(pattern: String, type: String, expected: Bool) throws
  {
    let pattern = try #require(ActionPattern(pattern, owner: "x"))
    #expect(pattern.matches(Text(type)) == expected)
  }

  @Test(arguments: [
    ("counter/add", true), ("a/b/c", true), ("a.b/c-d_e9", true), ("counter", false), ("", false),
    ("/", false), ("counter/", false), ("/add", false), ("a//b", false), ("a/*", false),
    ("a/b c", false), ("a/é", false), ("a/b\u{0}", false),
  ])
  func `a type is two or more names with slashes between them`(text: String, expected: Bool) {
    #expect(ActionPattern.isType(text) == expected)
  }
}
