import MoonProtocol
import MoonTestSupport
import Moonwire
import Testing

/// Using what a client has seen, while the screen may have changed.
struct SeenControlTests {
  /// A list of buttons that comes in another order with each flip.
  private static let mails = """
    local moon = require "moonwire"
    local ui = moon.ui
    local function button(name) return ui.button("Delete", "delete", { id = name }) end
    return { state = { deleted = "", order = { "a", "b" } },
      reducers = {
        delete = function(s, p) s.deleted = p.id end,
        arrange = function(s, p) s.order = p.order end,
      },
      keys = { { on = "x", d = { type = "delete", focus = true } } },
      on_start = function(self) self.route("/x") end,
      routes = { ["/x"] = function() return { id = "mails", kind = "x", title = "X" } end },
      views = { x = function(_, s)
        local rows = {}
        for i, name in ipairs(s.order) do rows[i] = button(name) end
        return rows
      end },
    }
    """

  private func client(order: String) async throws -> ProtocolClient {
    let client = try await ProtocolClient(ScriptFolder(["mails.lua": Self.mails]))
    _ = try await client.call(
      "action/dispatch", #"{"type":"mails/arrange","payload":{"order":\#(order)}}"#)
    return client
  }

  private static let seen = #""seen":{"title":"Delete","verb":"delete","data":{"id":"b"}}"#

  @Test(
    arguments: ["screen/use", "key/press"],
    [
      // Whoever saw a, b, and uses the second.
      (#"["a","b"]"#, "b", nil), (#"["b","a"]"#, "b", nil), (#"["c","a","b"]"#, "b", nil),
      (#"["b"]"#, "b", nil),
      (#"["a","c"]"#, "", "Delete isn't on the screen any more as it was seen"),
      (#"["a"]"#, "", "Delete isn't on the screen any more as it was seen"),
      (#"["b","c","b"]"#, "", "several controls are called Delete"),
    ] as [(String, Value, Value?)])
  func `the control that was seen is used, or none`(
    method: String, _ row: (order: String, deleted: Value, refusal: Value?)
  ) async throws {
    let client = try await client(order: row.order)
    let keys = method == "key/press" ? #""keys":"d","# : ""
    let answer = try await client.call(method, "{\(keys)\"control\":2,\(Self.seen)}")
    let state = try await client.call("state/get", #"{"path":"mails.deleted"}"#)
    #expect(state["value"] == row.deleted, "\(answer)")
    #expect(answer["message"] == row.refusal)
    client.connection.close()
  }

  @Test(arguments: [
    ("screen/use", #""control":1"#), ("screen/fill", #""input":"n","text":"1""#),
    ("screen/scroll", #""list":"l","row":1"#), ("key/press", #""keys":"d","control":1"#),
  ])
  func `a screen that isn't on top any more isn't used`(
    method: String, parameters: String
  ) async throws {
    let client = try await client(order: #"["a","b"]"#)
    let answer = try await client.call(method, "{\(parameters),\"screen\":\"other\"}")
    #expect(answer["message"] == "the screen other isn't on top any more")
    client.connection.close()
  }
}
