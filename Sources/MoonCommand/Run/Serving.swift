import Glibc
import MoonLink
import MoonPrompt
import MoonProtocol
import MoonStage
import MoonTesting
import Moonwire
import Synchronization

/// A host without a prompt: what other programs use, and what the service manager is told.
final class Serving: Sendable {
  /// How other programs reach it.
  enum Face: Sendable {
    case socket(SocketPlace)
    case standardStreams
    /// A person at the terminal of this program.
    case stage(StageFace)
  }

  let output: ServingOutput
  private let face: Face
  private let supervisor: Supervisor
  private let link = Mutex<LinkServer?>(nil)
  private let host = Mutex<Host?>(nil)

  init(_ face: Face, _ output: ServingOutput, _ supervisor: Supervisor) {
    (self.face, self.output, self.supervisor) = (face, output, supervisor)
  }

  /// Serves until a signal ends the program, or until the end of standard input if that is used.
  ///
  /// - Throws: ``RunError/link(_:)``, ``RunError/stage(_:)``
  func serve(
    _ prompt: PromptSession, directory: String, _ inspection: AppInspection
  ) async throws(RunError) {
    let server = ProtocolServer(
      prompt, Methods.all, directory: SocketPlace.wholePath(of: directory),
      processID: Int64(getpid()), inspection: inspection)
    host.withLock { $0 = prompt.host }
    switch face {
    case .socket(let place):
      let opened: LinkServer
      do throws(LinkError) {
        opened = try LinkServer(at: place, for: server)
      } catch {
        throw .link(error)
      }
      link.withLock { $0 = opened }
      output.terminal.printNotice("serving \(directory) at \(opened.path)")
      supervisor.tell(.ready("serving at \(opened.path)"))
      let watchdog = watch(prompt.host)
      await Termination.wait()
      watchdog?.cancel()
    case .standardStreams:
      supervisor.tell(.ready("serving standard input"))
      let watchdog = watch(prompt.host)
      await StandardStreams.serve(server)
      watchdog?.cancel()
    case .stage(let stage):
      do throws(StageTerminal.Problem) {
        try await stage.serve(server)
      } catch {
        throw .stage(error)
      }
    }
  }

  /// Whether SIGHUP means that modules are to be reloaded, and not that a terminal is gone.
  var reloadsOnHangUp: Bool { if case .stage = face { false } else { true } }

  /// Reloads all modules.
  func reload() {
    guard let host = host.withLock({ $0 }) else { return }
    supervisor.tell(.reloading)
    Task { [supervisor] in
      await host.reload()
      supervisor.tell(.ready("reloaded"))
    }
  }

  /// Takes no more requests, since the program ends.
  func end() {
    supervisor.tell(.stopping)
    link.withLock { $0.take() }?.close()
    if case .stage(let stage) = face { stage.end() }
  }

  /// Tells the manager again and again that the host answers, if it wants to know.
  private func watch(_ host: Host) -> Task<Void, Never>? {
    guard let time = supervisor.watchdogTime else { return nil }
    return Task { [supervisor] in
      while !Task.isCancelled {
        await host.perform { _ in }
        supervisor.tell(.alive)
        try? await Task.sleep(for: time / 2)
      }
    }
  }
}
