import MoonPrompt
import Moonwire

/// A call of a method by a client.
struct MethodCall: Sendable {
  let connection: ClientConnection
  let parameters: Map
  var server: ProtocolServer { connection.server }
  var host: Host { server.host }

  func text(_ name: String) -> String? { parameters[name]?.stringValue }
  func number(_ name: String) -> Int64? { parameters[name]?.intValue }

  /// The session that the call is about.
  ///
  /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/noSession``
  func session() async throws(ProtocolError) -> SessionID {
    guard let number = number("session") else { return server.session }
    let all = await host.perform { SessionID.all(on: $0) }
    guard let id = all.first(where: { $0.number == number }) else {
      throw ProtocolError(.noSession, "there is no session \(number)")
    }
    return id
  }

  /// The prompt of a session, for lines and for what has a line's form.
  func prompt(_ cause: Cause = .commandLine) async throws(ProtocolError) -> PromptSession {
    server.prompt(of: try await session(), cause)
  }

  /// What the client says that a person sees.
  private var seen: SeenScreen {
    SeenScreen(
      id: text("screen").map { Text($0) }, control: parameters["seen"]?.mapValue ?? Map())
  }

  /// Carries out a line; returns its record.
  func record(of line: String) async throws(ProtocolError) -> Value {
    let prompt = try await prompt().seeing(seen)
    do throws(LineProblem) {
      return try await record(of: try await prompt.line(line), in: prompt)
    } catch {
      throw ProtocolError(error)
    }
  }

  /// Carries out a line that was read; returns its record.
  func record(of line: PromptLine, in prompt: PromptSession) async throws(LineProblem) -> Value {
    do throws(PromptError) {
      return try await connection.interruptible(line, in: prompt) { () throws(PromptError) in
        let answer = try await line.run(in: prompt)
        return answer.record.map { .map($0) } ?? .null
      }
    } catch {
      throw LineProblem(error)
    }
  }
}
