import MoonServices
import MoonTestSupport
import Moonwire
import Testing

/// `moon.json`, `moon.base64` and `moon.hex`, called from Lua.
@Suite(.timeLimit(.minutes(2))) struct TextServiceTests {
  /// Evaluates an expression at the prompt.
  private func evaluate(_ text: String) async throws -> String {
    let prompt = try await ServicePrompt(Service.standard)
    return try await prompt.evaluate(text)
  }

  @Test(arguments: [
    ("moon.json.encode { 1, 2.5, 'é', true, moon.null }", #"[1,2.5,"é",true,null]"#),
    ("moon.json.encode { [10] = 'x' }", #"{"10":"x"}"#), ("moon.json.encode {}", "{}"),
    ("moon.json.encode(moon.list())", "[]"), ("moon.json.encode('a\\nb')", #""a\nb""#),
    (#"moon.json.decode('{"[10]": 1}')["[10]"]"#, "1"),
    (#"moon.json.decode('[1, {"a": null}]')[2].a == moon.null"#, "true"),
    (
      #"moon.json.encode(moon.json.decode('{"a":null,"b":[1,null,{"c":null}]}', { null = "nil" }))"#,
      #"{"b":[1,{}]}"#
    ),
    (#"moon.json.decode('null', { null = "nil" }) == nil"#, "true"),
    (#"moon.json.decode("\xef\xbb\xbf[1]")[1]"#, "1"),
    (#"math.type(moon.json.decode("9007199254740993"))"#, "integer"),
    (#"moon.hex.encode("\0\xff")"#, "00ff"), (#"moon.hex.decode("00fF") == "\0\xff""#, "true"),
    (#"moon.base64.encode("\xff\xfe")"#, "//4="),
    (#"moon.base64.encode("\xff\xfe", { url = true })"#, "__4"),
    (#"moon.base64.decode("__4") == "\xff\xfe""#, "true"),
    (#"moon.base64.decode("//4=") == "\xff\xfe""#, "true"), (#"#moon.base64.decode """#, "0"),
  ])
  func `texts are written and read`(call: String, result: String) async throws {
    #expect(try await evaluate(call) == result)
  }

  @Test(arguments: [
    ("moon.json.decode '{'", "malformed"), ("moon.json.decode ''", "malformed"),
    (#"moon.json.decode "\xff""#, "malformed"),
    ("moon.json.decode(('['):rep(100))", "malformed"), ("moon.json.encode(1/0)", "infinite"),
    ("moon.json.encode()", "bad_argument"), ("moon.hex.decode '0'", "malformed"),
    ("moon.hex.decode 'zz'", "malformed"), ("moon.hex.decode 'é'", "malformed"),
    ("moon.base64.decode '===='", "malformed"), ("moon.base64.decode 'AAAA='", "malformed"),
    ("moon.base64.decode 'AA==='", "malformed"), ("moon.base64.decode 'AA=A'", "malformed"),
    ("moon.base64.decode '!'", "malformed"), ("moon.base64.decode 'a'", "malformed"),
    (#"moon.json.encode { "\xff" }"#, "bad_argument"),
    ("moon.json.encode { 1, nil, 3, x = 4 }", "bad_argument"),
  ])
  func `what can't be written or read is an error with a code`(call: String, code: String)
    async throws
  {
    let text = "select(2, pcall(function() local x = \(call) end)).code"
    #expect(try await evaluate(text) == code)
  }

  @Test func `what is written in hexadecimal or Base64 is read back`() async throws {
    #expect(
      try await evaluate(
        """
        (function()
          for count = 0, 300 do
            local bytes = {}
            for i = 1, count do bytes[i] = string.char(moon.random(0, 255)) end
            local text = table.concat(bytes)
            if moon.hex.decode(moon.hex.encode(text)) ~= text then return "hex" end
            for _, url in ipairs { true, false } do
              local coded = moon.base64.encode(text, { url = url })
              if moon.base64.decode(coded) ~= text then return "base64" end
            end
          end
          return "same"
        end)()
        """) == "same")
  }
}

/// A host without modules, whose prompt calls services.
struct ServicePrompt {
  let host: Host
  let session: SessionID

  init(_ services: [Service], _ set: (inout HostOptions) -> Void = { _ in }) async throws {
    var options = HostOptions()
    options.services = services
    set(&options)
    host = try Host(directory: nil, options: options)
    session = await host.openSession()
  }

  /// Returns the first value of an expression, as text.
  func evaluate(_ text: String) async throws -> String {
    switch try await host.evaluate(text, in: session).first {
    case .value(let value): value.stringValue ?? value.canonicalText
    case .described(let text): text
    case nil: "nothing"
    }
  }
}
