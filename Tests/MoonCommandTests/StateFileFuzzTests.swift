import Logging
import MoonPrompt
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonCommand

/// Files that resemble states.
///
/// A run starts with one or reports why it can't, and can write and read again what it starts with.
struct StateFileFuzzTests {
  static let grammar = FuzzGrammar(
    seeds: [
      #"{"m":{"list":[1,2],"n":3}}"#, #"{"m":{"n":3},"gone":{"x":[{"y":1}]}}"#,
      #"{"m":{"n":3},"navigation":{"key":"w","loaded":["a"],"windows":[{"id":"w","root":{"id":"s","stack":[{"id":"a","module":"m"}]}}]}}"#,
      #"{"navigation":{"windows":[{"id":"w","root":{"id":"t","selected":2,"tabs":[{"id":"a"},{"id":"b","presented":{"id":"c"}}]}}]}}"#,
      #"{"$moonwire":{"format":1,"versions":{"m":1}},"m":{"n":1}}"#,
      #"{"m":[1.5,-0.0,1e999,"\u0000\ud83d\ude00",null,true]}"#, "{}", "[]", "null", "",
    ],
    pieces: [
      "{", "}", "[", "]", ":", ",", "\"", "\\u", "\\ud800", "\"m\"", "\"n\"", "\"navigation\"",
      "\"$moonwire\"", "\"versions\"", "\"format\"", "\"windows\"", "\"stack\"", "\"id\"", "null",
      "true", "9223372036854775807", "-9223372036854775808", "1e400", "-0", "0.1", "[[[[[[[[",
      "]]]]",
      "NaN", " ", "\n",
    ])

  private static let files = [
    "m.lua": """
    return { version = 2, state = { n = 0, list = {}, fresh = true },
      migrate = function(old, version) old.from = version return old end,
      reducers = { go = function(s) s.gone = (s.gone or 0) + 1 end },
      routes = { ["/a"] = function() return { title = "a" } end } }
    """
  ]

  @Test func `whatever a state file holds, a run begins with it or says why not`() async throws {
    let folder = try ScriptFolder(Self.files)
    var options = HostOptions()
    options.logger.logLevel = .critical
    options.stateQuota = 1 << 20
    let host = try Host(directory: folder.root, options: options)
    try await host.load()
    var begunCount = 0
    let failure = await Fuzzing("state-files", cases: 800).firstFailure(
      make: { Self.grammar.text(&$0) },
      check: { bytes in
        let contents: RestoreFile.Contents
        do throws(ParseError) {
          contents = try StateReader.contents(of: bytes)
        } catch {
          return (0...bytes.count).contains(error.offset) ? nil : "an error at \(error.offset)"
        }
        let session: SessionID
        do throws(RestoreError) {
          session = try await host.openSession(restoring: contents.state)
        } catch {
          return "\(error)".isEmpty ? "an error without words" : nil
        }
        begunCount += 1
        let problem = await Self.problem(on: host, session)
        await host.closeSession(session)
        return problem
      })
    #expect(failure == nil, "\(failure ?? "")")
    #expect(begunCount > 0)
    await host.close()
  }

  private static func problem(on host: Host, _ session: SessionID) async -> String? {
    // The reducer may be unable to work with the restored state.
    _ = try? await host.dispatch(Action("m/go"), to: session)
    guard let state = await host.state(of: session) else { return "there is no state" }
    let text = Array(state.canonicalText.utf8)
    guard let again = try? StateReader.contents(of: text), again.unreadable.isEmpty,
      again.state == state
    else { return "the state isn't read as it was written" }
    do throws(RestoreError) {
      await host.closeSession(try await host.openSession(restoring: again.state))
      return nil
    } catch {
      return "no run begins with what one has left: \(error)"
    }
  }
}
