import ArgumentParser
import Glibc
import MoonLink
import MoonPrompt
import MoonTerminal
import Moonwire

/// Lets an assistant use a running host.
struct MCPSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Lets an assistant see and use a running host, over the Model Context Protocol.",
    discussion: """
      The assistant's program starts it, and speaks with it on standard input and output. The \
      tools show the state, the modules with their problems, screens and the history; the \
      resources are the modules' files and the guides. With --allow-writes, tools can also \
      change the app. The host may end and come back meanwhile; if a directory names it, it \
      needn't run yet.
      """)

  @OptionGroup var place: HostArgument

  @Flag(help: "Offer tools that dispatch, evaluate Lua, use screens and reload.")
  var allowWrites = false

  func run() async throws {
    let named = try place.host(ProcessEnvironment.variables)
    let host = ReturningHost(named)
    let directory: String
    do throws(LinkError) {
      // A host that a person has named by its directory may come later.
      directory =
        if let found = named.directory { found } else {
          try await host.call("host/describe")["directory"]?.stringValue ?? ""
        }
    } catch {
      try? Output(descriptor: STDERR_FILENO).write(
        named.report(on: error).text(.plain) + "\n")
      throw ExitCode(error.code)
    }
    let server = MCPServer(to: host, of: directory, allowsWrites: allowWrites)
    let source = LineSource(reading: true, environment: [:], color: .never)
    let output = Output(descriptor: STDOUT_FILENO)
    while case .success(.line(let line)) = await source.next(prompt: "") {
      guard let answer = await server.answer(to: Array(line.utf8)) else { continue }
      try output.write(String(decoding: answer, as: UTF8.self) + "\n")
    }
    host.close()
  }
}
