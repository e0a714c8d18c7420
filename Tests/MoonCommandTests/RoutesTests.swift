import Foundation
import MoonTestSupport
import Testing

/// `moonwire routes`, end to end.
@Suite(.ownThread) struct RoutesTests {
  static let shop = """
    local moon = require "moonwire"
    local function screen() return {} end
    return moon.module {
      routes = {
        ["/list"] = { name = "list", screen = screen },
        ["/detail/:id<int>"] = { name = "detail", option = moon.push(), screen = screen },
        ["/detail/new"] = { priority = 5, option = moon.modal(), screen = screen },
        ["/files/*"] = screen,
        ["app://only/:x"] = screen,
      },
      handlers = { ["/logout"] = function() return true end },
    }
    """

  @Test func `patterns are listed with where they are and what they lead to`() throws {
    let folder = try ScriptFolder(["shop.lua": Self.shop])
    let expected = """
      /detail/:id<int>  shop  shop.lua:6   screen   name detail, push
      /detail/new       shop  shop.lua:7   screen   modal, priority 5
      /files/*          shop  shop.lua:8   screen
      /list             shop  shop.lua:5   screen   name list
      /logout           shop  shop.lua:11  handler
      app://only/:x     shop  shop.lua:9   screen

      """
    for words in [["routes", folder.root], ["routes", "list", folder.root]] {
      let result = try Program.run(words)
      #expect(result.output == expected)
      #expect(result.errors == "")
      #expect(result.code == 0)
    }
  }

  @Test func `letters are told as people write them`() throws {
    let folder = try ScriptFolder([
      "a.lua": "return { routes = { ['/ü/%2Fé'] = function() end } }"
    ])
    let result = try Program.run(["routes", "match", folder.root, "/ö/x"])
    #expect(
      result.output == """
        no pattern takes /ö/x
        not matched by
        /ü/%2Fé  a  a.lua:1  has 'ü' where the URL has 'ö'

        """)
    let empty = try Program.run(["routes", "match", folder.root, ""])
    #expect(empty.output.hasPrefix("no pattern takes the empty URL\n"))
  }

  @Test func `what takes a URL is told with what it takes, and why others don't`() throws {
    let folder = try ScriptFolder(["shop.lua": Self.shop])
    let result = try Program.run(["routes", "match", folder.root, "/detail/7?x=a+b"])
    #expect(
      result.output == """
        /detail/:id<int>  shop  shop.lua:6
          params    {id = 7, x = "a b"}
        not matched by
        /detail/new    shop  shop.lua:7   has 'new' where the URL has '7'
        /files/*       shop  shop.lua:8   has 'files' where the URL has 'detail'
        /list          shop  shop.lua:5   has 'list' where the URL has 'detail'
        /logout        shop  shop.lua:11  has 'logout' where the URL has 'detail'
        app://only/:x  shop  shop.lua:9   isn't for URLs of this scheme

        """)
    #expect(result.code == 0)
    let wild = try Program.run(["routes", "match", folder.root, "/files/a/b%20c"])
    #expect(wild.output.contains("\n  wildcard  [\"a\", \"b c\"]\n"))
    let scheme = try Program.run(["routes", "match", folder.root, "app://only/1"])
    #expect(scheme.output.contains("\n  scheme    app\n"))
  }

  @Test func `a URL that nothing takes is code 1, with all reasons`() throws {
    let folder = try ScriptFolder(["shop.lua": Self.shop])
    let result = try Program.run(["routes", "match", folder.root, "/detail/abc"])
    #expect(result.code == 1)
    #expect(result.lines.prefix(2) == ["no pattern takes /detail/abc", "not matched by"])
    #expect(result.output.contains(":id takes int, not 'abc'"))
    #expect(result.lines.count == 8)
  }

  @Test func `programs get the match and the candidates`() throws {
    let folder = try ScriptFolder(["shop.lua": Self.shop])
    func object(_ url: String, code: Int32) throws -> [String: Any] {
      let result = try Program.run(["routes", "match", folder.root, url, "--json"])
      #expect(result.code == code)
      #expect(result.lines.count == 1)
      return try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }
    let hit = try object("app://only/x?y=1", code: 0)
    let match = try #require(hit["match"] as? [String: Any])
    #expect(match["pattern"] as? String == "app://only/:x")
    #expect(match["module"] as? String == "shop")
    #expect(match["place"] as? String == "shop.lua:9")
    #expect(match["params"] as? [String: String] == ["x": "x", "y": "1"])
    #expect(match["wildcard"] is NSNull)
    #expect(match["scheme"] as? String == "app")
    let candidates = try #require(hit["candidates"] as? [[String: Any]])
    #expect(candidates.count == 6)
    #expect(candidates.first?["verdict"] as? String == "won")
    #expect(candidates.allSatisfy { $0["reason"] is String && $0["pattern"] is String })
    let miss = try object("/nowhere", code: 1)
    #expect(miss["match"] is NSNull)
    #expect((miss["candidates"] as? [[String: Any]])?.count == 6)
  }

  @Test func `of many candidates the closest are shown`() throws {
    let patterns = (0..<300).map { "[\"/p\($0)/:id<int>\"] = f," }.joined(separator: "\n")
    let folder = try ScriptFolder([
      "many.lua": "local f = function() return {} end return { routes = {\n\(patterns)\n} }"
    ])
    let result = try Program.run(["routes", "match", folder.root, "/p250/x"])
    #expect(result.lines.count == 23)
    #expect(result.lines[2].hasPrefix("/p250/:id<int>"))
    #expect(result.lines.last == "… 280 more, --json has all")
  }

  static let quarrel = [
    "a.lua": """
    local function screen() return {} end
    return { routes = {
      ["/x/:name"] = { name = "x", screen = screen },
      ["/y/:id"] = screen,
    } }
    """,
    "b.lua": """
    local function screen() return {} end
    return { routes = {
      ["/x/:id"] = { name = "x", screen = screen },
      ["/y/new"] = { priority = -1, screen = screen },
      ["/y(/:id)"] = screen,
    } }
    """,
  ]

  static let quarrels = [
    """
    /x/:id of module b (b.lua:3) is never reached: /x/:name of module a (a.lua:3) takes the same \
    URLs
    """,
    """
    /x/:id of module b (b.lua:3) and /x/:name of module a (a.lua:3) are both named x: URLs are \
    made of the second
    """,
    """
    /y(/:id) of module b (b.lua:5) is never reached as /y/:id: /y/:id of module a (a.lua:4) takes \
    that
    """,
    "/y/new of module b (b.lua:4) is never reached: /y/:id of module a (a.lua:4) takes all its URLs",
  ]

  @Test func `a pattern of routes and of handlers is placed in each`() throws {
    let folder = try ScriptFolder([
      "a.lua": """
      local first = "/same"
      return {
        handlers = {
          ["/same"] = { priority = 1, run = function() return false end },
        },
        routes = {
          ["/same"] = function() return {} end,
        },
      }
      """
    ])
    let listed = try Program.run(["routes", folder.root]).output.split(separator: "\n")
    #expect(listed.contains { $0.hasPrefix("/same  a  a.lua:4  handler") }, "\(listed)")
    #expect(listed.contains { $0.hasPrefix("/same  a  a.lua:7  screen") }, "\(listed)")
  }

  private func warnings(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("warning: ") }
      .map { String($0.dropFirst("warning: ".count)) }
  }

  @Test func `routes in each other's way are told by listing, checking and running`() throws {
    let folder = try ScriptFolder(Self.quarrel)
    let list = try Program.run(["routes", folder.root])
    #expect(warnings(list.output) == Self.quarrels)
    #expect(list.code == 0)
    let check = try Program.run(["check", folder.root])
    // By their lines.
    let checked = [0, 1, 3, 2].map { Self.quarrels[$0] }
    #expect(warnings(check.errors) == checked.map { "\($0) [route_conflict]" })
    #expect(check.output == "2 modules, no problems, 4 warnings\n")
    #expect(check.code == 0)
    let run = try Program.run(["run", "--strict", folder.root], input: ":reload\n")
    #expect(warnings(run.errors) == Self.quarrels)
    #expect(run.code == 0)
    let json = try Program.run(["check", "--json", folder.root])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let told = object?["warnings"] as? [[String: Any]]
    #expect(told?.compactMap { $0["message"] as? String } == checked)
    #expect(json.code == 0)
  }

  @Test func `what isn't a URL is code 65, and no directory is code 66`() throws {
    let folder = try ScriptFolder(["shop.lua": Self.shop])
    let result = try Program.run(["routes", "match", folder.root, "/a/%zz"])
    #expect(result.code == 65)
    #expect(result.output == "")
    #expect(
      result.errors == """
        error: '/a/%zz' can't be read as a URL
          the % at character 4 isn't followed by two hexadecimal digits
          help         write one such as /message/Max%20Mustermann?loud=1

        """)
    for words in [["routes", "/nowhere/x"], ["routes", "match", "/nowhere/x", "/a"]] {
      let result = try Program.run(words)
      #expect(result.code == 66)
      #expect(result.errors.hasPrefix("error: there is no directory /nowhere/x"))
    }
    #expect(try Program.run(["routes"]).code == 64)
    #expect(try Program.run(["routes", "match", folder.root]).code == 64)
  }

  @Test func `modules that can't be loaded are told beside the routes`() throws {
    let folder = try ScriptFolder(["shop.lua": Self.shop, "m.lua": "return 5"])
    let result = try Program.run(["routes", folder.root])
    #expect(result.lines.count == 6)
    #expect(result.errors.hasPrefix("error: module m returns a number"))
    let empty = try ScriptFolder()
    #expect(try Program.run(["routes", empty.root]).output == "there are no routes\n")
  }
}
