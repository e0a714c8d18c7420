import Testing

@testable import MoonFiles

struct SourceTests {
  /// The vectors are from the appendix of draft-eastlake-fnv.
  @Test(arguments: [
    ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
  ])
  func `the content's hash is 64-bit FNV-1a`(text: String, hash: UInt64) {
    #expect(ScriptDirectory.Source.hash(Array(text.utf8)) == hash)
  }
}
