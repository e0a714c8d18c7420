import Glibc
import MoonLink
import MoonPrompt
import MoonProtocol
import MoonTerminal
import Moonwire

/// A server of the Model Context Protocol on standard input and output, for assistants.
///
/// Its tools are lines of the prompt of a running host, and its resources the modules' files
/// and the guides.
struct MCPServer: Sendable {
  /// The versions of the protocol that it speaks, latest first.
  private static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]
  private static let instructions = """
    The tools are for one running Moonwire app, whose features are modules in Lua. `modules` lists \
    them with their problems; a saved file is reloaded at once. The resources have the guides, of \
    which WritingModules is the first to read.
    """

  let host: ReturningHost
  let resources: MCPResources
  let tools: [MCPTool]

  init(to host: ReturningHost, of directory: String, allowsWrites: Bool) {
    (self.host, resources) = (host, MCPResources(directory: directory))
    tools = MCPTool.all.filter { $0.isReading || allowsWrites }
  }

  /// Answers the line of a client; nil if it wants no answer.
  func answer(to line: [UInt8]) async -> [UInt8]? {
    let value: Value
    do throws(ParseError) {
      value = try Value(parsing: line)
    } catch {
      return Reply.line(Reply.value(.failure(ProtocolError(.parse, "\(error)")), to: .null))
    }
    let id = Request.id(of: value)
    do throws(ProtocolError) {
      let request = try Request(value)
      let result = try await result(of: request)
      return request.id == nil ? nil : Reply.line(Reply.value(.success(result), to: id))
    } catch {
      return value["id"] == nil ? nil : Reply.line(Reply.value(.failure(error), to: id))
    }
  }

  private func result(of request: Request) async throws(ProtocolError) -> Value {
    let parameters = request.parameters
    switch request.method {
    case "initialize":
      let wanted = parameters["protocolVersion"]?.stringValue ?? ""
      let version = Self.versions.contains(wanted) ? wanted : Self.versions[0]
      return [
        "protocolVersion": .string(Text(version)),
        "capabilities": ["tools": .map(Map()), "resources": .map(Map())],
        "serverInfo": ["name": "moonwire", "version": .string(Text(Version.current))],
        "instructions": .string(Text(Self.instructions)),
      ]
    case "ping": return .map(Map())
    case "tools/list": return ["tools": .list(List(tools.map(\.value)))]
    case "tools/call": return try await call(parameters)
    case "resources/list":
      return ["resources": .list(List(resources.list))]
    case "resources/templates/list": return ["resourceTemplates": .list(List())]
    case "resources/read":
      let uri = parameters["uri"]?.stringValue ?? ""
      guard let contents = resources.contents(of: uri) else {
        throw ProtocolError(.invalidParameters, "there is no resource \(uri.prefix(200))")
      }
      return ["contents": [contents]]
    case let method where method.hasPrefix("notifications/"): return .null
    default: throw ProtocolError(.unknownMethod)
    }
  }

  // MARK: Tools

  private func call(_ parameters: Map) async throws(ProtocolError) -> Value {
    let name = parameters["name"]?.stringValue ?? ""
    guard let tool = tools.first(where: { $0.name == name }) else {
      let isWriting = MCPTool.all.contains { $0.name == name }
      throw ProtocolError(
        .invalidParameters,
        isWriting ? "\(name) changes the app: moonwire mcp --allow-writes has it" : "no such tool")
    }
    let arguments = parameters["arguments"]?.mapValue ?? Map()
    for argument in tool.arguments where argument.isRequired && arguments[argument.name] == nil {
      throw ProtocolError(.invalidParameters, "\(name) needs \(argument.name)")
    }
    for argument in tool.arguments {
      if let refusal = arguments[argument.name].flatMap(argument.refusal) {
        throw ProtocolError(.invalidParameters, "\(name): \(refusal)")
      }
    }
    do throws(LinkError) {
      switch tool.work {
      case .line(let line):
        let answer = try await host.call(
          "prompt/run", ["line": .string(Text(line(arguments))), "columns": 100])
        let lines = (answer["output"]?.listValue ?? List()).compactMap { $0["text"]?.stringValue }
        return Self.content(lines.joined(separator: "\n"), isError: answer["status"] != "done")
      case .method(let method, let hasFailed):
        let result = try await host.call(method, arguments)
        return Self.content(result["text"]?.stringValue ?? "", isError: hasFailed(result))
      }
    } catch {
      return Self.content(host.named.report(on: error).text(.plain), isError: true)
    }
  }

  private static func content(_ text: String, isError: Bool) -> Value {
    [
      "content": [["type": "text", "text": .string(Text(text.isEmpty ? "done" : text))]],
      "isError": .bool(isError),
    ]
  }
}
