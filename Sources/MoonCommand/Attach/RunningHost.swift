import ArgumentParser
import Glibc
import MoonLink
import MoonPrompt
import Moonwire

/// The running host that a command is for.
struct RunningHost {
  /// Its socket.
  let path: String
  /// The directory by which a person has named it; nil if it wasn't named so.
  let directory: String?

  /// Finds the host that a person names by its directory or socket; nil stands for the only one
  /// that runs.
  ///
  /// - Throws: ``HostChoiceError``
  init(_ name: String?, _ environment: [String: String]) throws(HostChoiceError) {
    if let name {
      var status = stat()
      guard stat(name, &status) == 0 else { throw .missing(name) }
      directory = status.st_mode & S_IFMT == S_IFDIR ? name : nil
      path = directory.map { SocketPlace(of: $0, environment).path } ?? name
      return
    }
    let running = Self.all(environment)
    guard let only = running.first else { throw .none }
    guard running.count == 1 else { throw .several(running) }
    (path, directory) = (only, nil)
  }

  /// Returns the report on an error of the connection, which names what the person has named.
  func report(on error: LinkError) -> Report {
    guard case .noHost = error, let directory else { return error.report }
    return Report(
      "no host serves \(directory)",
      rows: [
        .init(
          "help", "moonwire serve \(directory) starts one, and moonwire ps lists those that run")
      ])
  }

  /// Returns the sockets at which hosts answer.
  static func all(_ environment: [String: String]) -> [String] {
    SocketPlace.all(environment).map(\.path).filter { path in
      guard let link = try? HostLink(to: path) else { return false }
      link.close()
      return true
    }
  }
}

/// The reason that it isn't known which host is meant.
enum HostChoiceError: Error {
  /// There is no such directory or socket.
  case missing(String)
  /// No host runs.
  case none
  /// Several run, at these sockets.
  case several([String])

  /// The report for people.
  var report: Report { report(.error) }

  /// Returns the report with a severity.
  func report(_ severity: Report.Severity) -> Report {
    switch self {
    case .missing(let name): Report(severity, "there is no directory or socket \(name)")
    case .none:
      Report(
        severity, "no host is running", rows: [.init("help", "moonwire serve DIR starts one")])
    case .several(let paths):
      Report(
        severity, "\(paths.count) hosts are running",
        rows: [.init("help", "name the directory of one; moonwire ps lists them")])
    }
  }

  /// The exit code.
  var code: Int32 {
    switch self {
    case .missing: ExitStatus.noInput
    case .none: ExitStatus.unavailable
    case .several: ExitStatus.usageError
    }
  }
}
