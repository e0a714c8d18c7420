import Foundation
import MoonTestSupport
import Testing

/// The text that people type into inputs, in a piped script.
@Suite(.ownThread) struct FormTests {
  static let chat = """
    local moon = require "moonwire"
    local ui = moon.ui
    return moon.module {
      state = { sent = moon.list(), name = "Max" },
      actions = {
        send = { text = "string", to = "string?" }, refuse = { text = "string" },
        rename = { name = "string" }, fill = { id = "string", value = "any?", screen = "string?" },
      },
      reducers = {
        send = function(state, payload) table.insert(state.sent, payload.text) end,
        refuse = function() error("not now", 0) end,
        rename = function(state, payload) state.name = payload.name end,
        fill = function() end,
      },
      observe = {
        ["chat.sent"] = function(sent, old, self)
          if sent[#sent] == "/again" then self.input("text", "once more") end
        end,
      },
      map_navigation = {
        fill = function(action, state, self)
          local payload = action.payload
          self.input(payload.id, payload.value, payload.screen)
        end,
      },
      routes = {
        ["/chat"] = function() return { title = "Chat" } end,
        ["/other"] = function() return { title = "Other", kind = "other" } end,
      },
      views = {
        other = function() return "Nothing to fill in" end,
        chat = function(screen, state)
          return {
            ui.input { id = "text", label = "Text", max_length = 20 },
            ui.input { id = "to", label = "To", keep = true },
            ui.input { id = "draft", label = "Draft" },
            ui.input { id = "name", label = "Name", value = state.name },
            ui.input { id = "hidden", visible = false },
            ui.choice { id = "tags", choices = { "a", "b" }, multiple = true },
            ui.button("Send", "send"), ui.button("Refuse", "refuse"),
            ui.button("Rename", "rename"), ui.button("Other", "/other"),
          }
        end,
      },
    }
    """

  private func run(_ input: String) throws -> Program.Result {
    let folder = try ScriptFolder(["chat.lua": Self.chat])
    return try Program.run(["run", "--keep-going", folder.root], input: input)
  }

  /// Returns the contents of the inputs of the last screen shown, by label.
  private func inputs(after input: String) throws -> [String: String] {
    let lines = try run(":open /chat\n" + input + "\n:screen\n").lines
    let start = try #require(lines.lastIndex { $0.hasPrefix("Chat") })
    var held: [String: String] = [:]
    for line in lines[start...] {
      guard let match = line.wholeMatch(of: #/  (\w+) +\[(.*)\]/#) else { continue }
      held[String(match.1)] = String(match.2).replacing("_", with: "")
    }
    return held
  }

  @Test func `what was sent is cleared, what wasn't and what is kept stays`() throws {
    let held = try inputs(after: ":input text=hello to=Eva draft=later\n:tap Send")
    #expect(held == ["Text": "", "To": "Eva", "Draft": "later", "Name": "Max", "tags": ""])
  }

  @Test func `a form that shows the state shows it again when it was sent`() throws {
    #expect(try inputs(after: ":input name=Eva\n:tap Rename")["Name"] == "Eva")
    #expect(
      try inputs(after: ":input name=Eva\n:tap Rename\nchat/rename name=Ada")["Name"] == "Ada")
  }

  @Test func `what couldn't be sent stays`() throws {
    #expect(try inputs(after: ":input text=hello\n:tap Refuse")["Text"] == "hello")
  }

  @Test func `opening a URL sends nothing`() throws {
    #expect(try inputs(after: ":input text=hello\n:tap Other\n:back")["Text"] == "hello")
  }

  @Test func `a module fills inputs in, empties them, and brings back what they held first`() throws
  {
    #expect(try inputs(after: "chat/fill id=text value=preset")["Text"] == "preset")
    #expect(try inputs(after: "chat/fill id=name value=\"\"")["Name"] == "")
    #expect(
      try inputs(after: ":input name=Eva\n:screen\nchat/fill id=name")["Name"] == "Max")
    #expect(
      try inputs(after: "chat/fill id=text value=a\nchat/fill id=text value=b")["Text"] == "b")
  }

  @Test func `what a module fills in while an action is carried out isn't cleared by it`() throws {
    #expect(try inputs(after: ":input text=/again\n:tap Send")["Text"] == "once more")
  }

  @Test func `a screen below another is filled in before it is seen again`() throws {
    #expect(
      try inputs(after: ":open /other\nchat/fill id=text value=x screen=chat\n:back")["Text"] == "x"
    )
  }

  @Test(
    arguments: [
      ("chat/fill id=txet value=x", "the screen chat has no input 'txet'; did you mean 'text'?"),
      (
        "chat/fill id=text value=\"\(String(repeating: "x", count: 21))\"",
        "the input 'text' of the screen chat must have at most 20 characters"
      ),
      ("chat/fill id=text value=5", "the input 'text' of the screen chat must be a text"),
      (
        "chat/fill id=tags value='[\"c\"]'",
        "the input 'tags' of the screen chat must be one of a, b"
      ),
      (
        "chat/fill {\"id\":\"text\",\"value\":{\"a\":1}}",
        "an input holds a text, a number, a boolean or a list of these, not a map"
      ),
      ("chat/fill id=text value=x screen=cat", "there is no screen 'cat'; the module has chat"),
    ])
  func `what an input can't hold is told with the place that wanted it`(
    line: String, message: String
  ) throws {
    let result = try run(":open /chat\n\(line)\n:screen\n")
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.errors.contains(/chat\.lua:2[13]:/), "\(result.errors)")
    // The remaining lines are carried out.
    #expect(result.output.contains("[1] Send"), "\(result.output)")
  }

  @Test func `what is for a hidden input waits until that is shown`() throws {
    let result = try run(":open /chat\nchat/fill id=hidden value=x\n:screen\n")
    #expect(result.errors == "")
  }

  @Test func `without a screen of its own a module is told so`() throws {
    let result = try run("chat/fill id=text value=x\n")
    #expect(
      result.errors.contains("chat.lua:23: module chat has no screen in the navigation"),
      "\(result.errors)")
  }

  @Test(
    arguments: [
      ("views = { m = function(s, state, self) self.input('a', 'b') end }", "a view only shows"),
      ("reducers = { go = function(state) state.f.input('a') end }", "f"),
      ("on_start = function(self) self.input(5) end", "self.input takes the id of an input first"),
      ("on_start = function(self) self.input('a', 'b', 5) end", "takes the id of a screen third"),
      ("on_start = function(self) self.input('a', print) end", "a function can't leave the module"),
    ])
  func `misuse is told with its line`(entry: String, message: String) throws {
    let folder = try ScriptFolder([
      "m.lua":
        "return {\n  state = {},\n  routes = { ['/m'] = function() return {} end },\n  \(entry),\n}"
    ])
    let result = try Program.run(
      ["run", "--keep-going", folder.root], input: ":open /m\nm/go\n")
    let told = result.output + result.errors
    #expect(told.contains("m.lua:4"), "\(told)")
    #expect(told.contains(message), "\(told)")
  }
}
