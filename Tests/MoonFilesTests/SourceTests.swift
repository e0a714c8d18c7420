import MoonFiles
import Testing

struct SourceTests {
  /// The vectors are from FIPS 180-4 and from the appendix of draft-eastlake-fnv.
  @Test(arguments: [
    (
      "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "cbf29ce484222325"
    ),
    (
      "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "e71fa2190541574b"
    ),
  ])
  func `contents are named by SHA-256, and formerly by FNV-1a`(
    text: String, hash: String, former: String
  ) throws {
    #expect(try ContentHash(of: Array(text.utf8)).digits == hash)
    #expect(ContentHash(formerlyOf: Array(text.utf8)).digits == former)
  }
}
