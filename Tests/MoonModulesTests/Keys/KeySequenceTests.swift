import Testing

@testable import MoonModules

/// Keys have one form for all ways to write them, and an error says what to write.
struct KeySequenceTests {
  @Test(arguments: [
    ("n", "n"), ("N", "N"), ("shift+n", "N"), ("SHIFT+N", "N"), ("Ctrl+N", "ctrl+n"),
    ("alt+ctrl+x", "ctrl+alt+x"), ("alt+shift+x", "alt+X"), ("shift+ctrl+x", "ctrl+shift+x"),
    ("+", "+"), ("ctrl++", "ctrl++"), ("F12", "f12"), ("shift+Enter", "shift+enter"),
    ("  g   i ", "g i"), ("ctrl+i", "tab"), ("ctrl+M g", "enter g"), ("ctrl+[", "escape"),
    ("é", "é"), ("?", "?"), ("👩‍👧", "👩‍👧"), ("ß", "ß"), ("/", "/"),
    ("Focus", "focus"),
  ])
  func `a key has one form`(written: String, form: String) throws {
    let keys = try KeySequence(parsing: written)
    #expect("\(keys)" == form)
    #expect(try KeySequence(parsing: form) == keys)
  }

  @Test(arguments: [
    ("", KeyError.empty), (" ", .empty), ("a b c d e", .tooLong),
    ("n" + String(repeating: "\u{301}", count: 200), .tooLong),
    ("ctrl-n", .unknownKey("ctrl-n", nearest: "ctrl+n")),
    ("ctrl+entr", .unknownKey("entr", nearest: "enter")),
    ("esc", .unknownKey("esc", nearest: "escape")),
    ("control+n", .unknownModifier("control", nearest: "ctrl")),
    ("crtl+n", .unknownModifier("crtl", nearest: "ctrl")),
    ("ctrl+ctrl+n", .repeatedModifier("ctrl")), ("shift+1", .shiftedCharacter("1")),
    ("ctrl+focus", .notPressed), ("g focus", .notPressed),
    ("ctrl+", .unknownKey("", nearest: nil)), ("+n", .unknownModifier("", nearest: nil)),
    ("\u{1B}", .unknownKey("\u{1B}", nearest: nil)),
    ("\u{202E}", .unknownKey("\u{202E}", nearest: nil)),
  ])
  func `what is no key is an error`(written: String, error: KeyError) {
    #expect(throws: error) { try KeySequence(parsing: written) }
  }
}
