import ArgumentParser
import Glibc
import MoonLink
import MoonPrompt
import Moonwire

/// The running host that a command is for.
enum RunningHost {
  /// Returns the socket of a host that a person names by its directory or socket; nil stands for
  /// the only one that runs.
  ///
  /// - Throws: ``HostChoiceError``
  static func path(_ name: String?, _ environment: [String: String]) throws(HostChoiceError)
    -> String
  {
    if let name {
      var status = stat()
      guard stat(name, &status) == 0 else { throw .missing(name) }
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      return isDirectory ? SocketPlace(of: name, environment).path : name
    }
    let running = all(environment)
    guard let only = running.first else { throw .none }
    guard running.count == 1 else { throw .several(running) }
    return only
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
  var report: Report {
    switch self {
    case .missing(let name): Report("there is no directory or socket \(name)")
    case .none:
      Report("no host is running", rows: [.init("help", "start one: moonwire serve DIR")])
    case .several(let paths):
      Report(
        "\(paths.count) hosts are running",
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
