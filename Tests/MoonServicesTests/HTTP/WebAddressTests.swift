import MoonTestSupport
import Testing

@testable import MoonServices

/// URLs as requests read them.
@Suite struct WebAddressTests {
  @Test(arguments: [
    "http://localhost:8080/", "http://localhost", "https://example.com", "https://a.b-c_d:443/x/y",
    "http://127.0.0.1:1/a?b=c&d=1,2", "http://h?", "http://h/?", "http://h?a?b",
    "http://h/a//b/../c",
    "http://h/$!'()*+;:@=~_-.", "http://h:65535/.", "http://1.2/",
  ])
  func `a URL of the usual kind is read as Foundation reads it`(text: String) throws {
    let plain = try #require(PlainURL(text))
    for query in ["", "a=b", "a=%20&c=d"] {
      #expect(
        WebAddress(plain, query: query) == (try WebAddress(read: text, [.http, .https], query)))
    }
  }

  @Test(arguments: [
    "HTTP://h/", "ftp://h/", "ws://h/", "http://H/", "http://h:0/", "http://h:080/", "http://h:/",
    "http://h:65536/", "http://h:99999999999999999999/", "http://u@h/", "http://[::1]/", "http://",
    "http:///", "http://h/%41", "http://h/#f", "http://h/a b", "http://h/\u{e9}", "http://h\\a",
    "http://h/\"", "http://h:80x/", "http://xn--bcher-kva.example/", "h", "",
  ])
  func `any other URL is left to Foundation`(text: String) {
    #expect(PlainURL(text) == nil)
  }

  @Test func `no text is read in two ways`() {
    let parts = [
      "http://", "https://", "h", "example.com", "1", "127.0.0.1", ":", ":80", "/", "//", "?",
      "a=b",
      "&", ".", "..", "@", "-", "_", "~", ";", "'", "(", "*", "$", "!", ",", "+", "=", "xn--",
    ]
    var random = SplitMix64(seed: 1)
    var count = 0
    for _ in 0..<20_000 {
      var text = "http://"
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        text += parts.randomElement(using: &random) ?? ""
      }
      guard let plain = PlainURL(text) else { continue }
      count += 1
      #expect((try? WebAddress(read: text)) == WebAddress(plain), "\(text)")
    }
    #expect(count > 1_000)
  }
}
