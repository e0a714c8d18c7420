import MoonTestSupport
import Moonwire
import Testing

@testable import MoonPrompt

/// The file with the keys of a person.
struct KeysFileTests {
  /// Reads a file with a directory `/x`; returns the keys that a host then has, or the error.
  private func keys(_ text: String) async throws -> [String] {
    let folder = try ScriptFolder(["keys.json": text])
    let host = try Host(directory: nil)
    let file = try #require(KeysFile(named: folder.root + "/keys.json", for: "/x"))
    do throws(KeysFileError) {
      try await file.update(host)
    } catch {
      return ["\(error)"]
    }
    return await host.perform { KeyTable.all(on: $0).entries }.map { entry in
      guard case .action(let key)? = entry.binding.target else {
        return "\(entry.binding.keys) off"
      }
      return "\(entry.binding.keys) \(key.action.type)"
    }
  }

  @Test func `keys count for their directory`() async throws {
    #expect(
      try await keys(
        #"{"/x": {"Ctrl+N": "todo/add", "q": null, "g i": "/in", "#
          + #""u": {"type": "Action.OpenUrl", "title": "Go", "url": "a://b"}}, "/y": {"n": "a/b"}}"#
      )
        == ["ctrl+n todo/add", "g i nav/route", "q off", "u nav/route"])
  }

  @Test(arguments: [
    ("{", "it isn't JSON"), ("[]", "'the file' must hold a table"),
    (#"{"/x": 7}"#, "'/x' must hold a table"),
    (#"{"/x": {"ctrl+nn": "a/b"}}"#, "'ctrl+nn' is no key: there is no key 'nn'"),
    (#"{"/x": {"n": "add"}}"#, "'n' must be an action such as todo/add"),
    (#"{"/x": {"n": {"type": "a/b", "paylod": 1}}}"#, "'n' must be an action such as todo/add"),
  ])
  func `a wrong file says what is wrong`(text: String, problem: String) async throws {
    let found = try await keys(text)
    #expect(found.count == 1 && found[0].hasPrefix(problem), "\(found)")
  }

  @Test func `a file that is named must exist, the person's own need not`() async throws {
    let host = try Host(directory: nil)
    let file = try #require(KeysFile(named: "/nowhere/keys.json", for: "/x"))
    await #expect(throws: KeysFileError.self) { try await file.update(host) }
  }
}
