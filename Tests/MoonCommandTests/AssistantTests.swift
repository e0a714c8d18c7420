import Foundation
import MoonTestSupport
import Testing

/// What an assistant sees and does over the Model Context Protocol.
@Suite(.ownThread) struct AssistantTests {
  /// Has `moonwire mcp` answer requests beside a host that serves `app`; `prepare` runs before.
  private func ask(
    _ requests: [String], options: String = "", prepare: String = ""
  ) throws -> [[String: Any]] {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let lines = requests.enumerated().map { index, request in
      #"{"jsonrpc":"2.0","id":\#(index),\#(request)}"#
    }
    try folder.save("../requests", (lines + [""]).joined(separator: "\n"))
    let run = try Program.shell(
      """
      cd \(folder.outside)
      export XDG_RUNTIME_DIR=$PWD
      rm -f log
      "$MOONWIRE" serve app --data data < /dev/null 2> log &
      host=$!
      until grep -qs serving log; do sleep 0.02; done
      \(prepare)
      "$MOONWIRE" mcp app \(options) < requests
      kill $host
      """)
    return try run.lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private func call(_ tool: String, _ arguments: String = "{}") -> String {
    #""method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}"#
  }

  /// The text of the result of a tool, and whether it is an error.
  private func text(_ reply: [String: Any]) -> (text: String, isError: Bool)? {
    let result = reply["result"] as? [String: Any]
    let content = result?["content"] as? [[String: Any]]
    guard let text = content?.first?["text"] as? String else { return nil }
    return (text, result?["isError"] as? Bool ?? false)
  }

  /// The names of the pages of the documentation.
  private static func guides() throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try ["Guides", "Reference"].flatMap { folder in
      let path = root.appending(path: "Sources/Moonwire/Moonwire.docc/\(folder)").path
      return try FileManager.default.contentsOfDirectory(atPath: path)
        .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }
    }
  }

  @Test func `an assistant reads, and changes nothing unless it may`() throws {
    let replies = try ask([
      #""method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{}}"#,
      #""method":"tools/list""#, call("state", #"{"path":"counter.count"}"#),
      call("dispatch", #"{"type":"counter/add"}"#), #""method":"resources/list""#,
      #""method":"resources/read","params":{"uri":"moonwire:///counter.lua"}"#,
      #""method":"resources/read","params":{"uri":"moonwire:///../requests"}"#,
      #""method":"no/such""#,
      #""method":"resources/read","params":{"uri":"moonwire://guides/Protocol"}"#,
    ])
    #expect(replies.count == 9)
    let begun = replies[0]["result"] as? [String: Any]
    #expect(begun?["protocolVersion"] as? String == "2024-11-05")
    let tools = (replies[1]["result"] as? [String: Any])?["tools"] as? [[String: Any]]
    #expect(tools?.contains { $0["name"] as? String == "modules" } ?? false)
    #expect(tools?.contains { $0["name"] as? String == "dispatch" } == false)
    #expect(text(replies[2])?.text == "0")
    #expect("\(replies[3])".contains("--allow-writes"))
    #expect("\(replies[4])".contains("moonwire:///counter.lua"))
    #expect("\(replies[5])".contains("moon.module"))
    #expect(replies[6]["error"] != nil && replies[7]["error"] != nil)
    #expect("\(replies[8])".contains("JSON-RPC"))
    for guide in try Self.guides() {
      #expect("\(replies[4])".contains("moonwire://guides/\(guide)\""), "guides.c lacks \(guide)")
    }
  }

  @Test func `an assistant finds what is wrong with a saved module, and uses the mended one`()
    throws
  {
    let replies = try ask(
      [
        call("modules"), call("dispatch", #"{"type":"counter/add","payload":{"by":2}}"#),
        call("eval", #"{"text":"error('no')"}"#), call("dispatch", #"{"type":"counter/nothing"}"#),
        call("dispatch"), call("check"), call("test"),
        call("dispatch", #"{"type":":quit"}"#), call("dispatch", #"{"type":"= 1 + 1"}"#),
      ], options: "--allow-writes",
      prepare: "echo oops >> app/counter.lua; until grep -q oops log; do sleep 0.02; done")
    let problem = try #require(text(replies[0]))
    #expect(problem.text.contains("counter.lua:9") && problem.text.contains("oops"), "\(problem)")
    #expect(text(replies[1])?.text == "counter.count  0 → 2")
    let failed = try #require(text(replies[2]))
    #expect(failed.isError && failed.text.contains("no"))
    #expect(text(replies[3])?.isError ?? false)
    #expect("\(replies[4])".contains("dispatch needs type"))
    let checked = try #require(text(replies[5]))
    #expect(checked.isError && checked.text.contains("counter.lua:9"), "\(checked)")
    let tested = try #require(text(replies[6]))
    #expect(tested.isError && tested.text.contains("counter.lua:9"), "\(tested)")
    #expect(replies[7...].allSatisfy { "\($0)".contains("type takes the type of an action") })
  }

  @Test func `a host may end, and come back, while an assistant is there`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let run = try Program.shell(
      """
      cd \(folder.outside)
      export XDG_RUNTIME_DIR=$PWD
      serve() {
        rm -f log
        "$MOONWIRE" serve app --data data < /dev/null 2> log 3>&- 4>&- & host=$!
        until grep -qs serving log; do sleep 0.02; done
      }
      ask() {
        echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"state"}}' >&3
        read -r answer <&4; echo "$answer" | grep -o 'no host serves app\\|count = 0'
      }
      mkfifo in out; "$MOONWIRE" mcp app < in > out & assistant=$!
      exec 3> in 4< out
      ask; serve; ask; kill -9 $host; wait $host 2> /dev/null; ask; serve; ask
      exec 3>&-; wait $assistant; kill $host
      """)
    #expect(
      run.lines == ["no host serves app", "count = 0", "no host serves app", "count = 0"],
      "\(run)")
  }
}
