import ArgumentParser
import Glibc
import MoonLink
import MoonPrompt
import MoonTerminal
import Moonwire

/// The hosts that run.
struct PsSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ps", abstract: "Lists the hosts that run under moonwire serve.",
    discussion: """
      Each line has the process, the directory and the socket of a host. One that doesn't answer \
      within 5 seconds, since it is stopped or hangs, is listed without its directory.
      """)

  @Flag(help: "Write one JSON object a line to standard output, each with \"v\":1.")
  var json = false

  func run() async throws {
    let environment = ProcessEnvironment.variables
    let output = TerminalOutput(editor: nil, color: .never, environment: environment)
    // All at once, so that several that hang take no longer than one.
    let places = SocketPlace.all(environment).map(\.path)
    let found = await withTaskGroup(of: FoundHost?.self) { group in
      for path in places { group.addTask { await FoundHost(at: path) } }
      return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
    let hosts = found.sorted { $0.path < $1.path }
    output.printResult(hosts.map { json ? JSONRecord.line($0.record) : $0.line })
    if hosts.isEmpty { output.printNotice(HostChoiceError.none.report(.note)) }
  }
}

/// A host at a socket.
private struct FoundHost: Sendable {
  let path: String
  /// What it says of itself; nil if it doesn't answer.
  private let description: Value?
  private let processID: Value

  /// Asks what there is; nil if there is no host.
  init?(at path: String) async {
    self.path = path
    do throws(LinkError) {
      let link = try HostLink(to: path)
      defer { link.close() }
      let known = link.processID.map { Value.int(Int64($0)) } ?? .null
      do throws(LinkError) {
        let answer = try await link.call("host/describe", within: HostLink.descriptionTimeMax)
        (description, processID) = (answer, answer["pid"] ?? known)
      } catch {
        guard error == .silent else { return nil }
        (description, processID) = (nil, known)
      }
    } catch {
      guard error == .silent else { return nil }
      (description, processID) = (nil, .null)
    }
  }

  /// The record for programs.
  var record: Map {
    [
      "kind": "host", "pid": processID, "directory": description?["directory"] ?? .null,
      "socket": .string(Text(path)), "version": description?["version"] ?? .null,
      "answers": .bool(description != nil),
    ]
  }

  /// The line for people.
  var line: String {
    let name = description.map { TerminalText.singleLine($0["directory"]?.stringValue ?? "") }
    return "\(processID)  \(name ?? "(doesn't answer)")  \(path)"
  }
}
