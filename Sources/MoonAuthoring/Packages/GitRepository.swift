import Glibc
import Moonwire
import Subprocess
import SystemPackage

/// A Git repository somewhere, which the program `git` fetches from.
///
/// Nothing in a repository can run anything here: there is no working tree, so that no hooks and
/// submodules apply, and only transports are allowed that carry data. Git never asks for anything.
struct GitRepository: Sendable {
  /// The maximum time for fetching a revision.
  static let secondsMax = 120.0
  /// The maximum number of bytes of each file that git writes: of all that a revision has, and of
  /// what is sent for it.
  static let packByteCountMax = 512 << 20
  private static let outputByteCountMax = 1 << 20
  /// The code with which a shell ends that doesn't find a program.
  private static let notFoundStatus: TerminationStatus.Code = 127

  let url: String
  /// The program, by its name or path.
  var program = "git"
  var seconds = secondsMax
  var packByteCountMax = packByteCountMax
  let environment: [String: String]

  /// Writes the files of a revision into an archive, by way of an empty folder; returns the commit.
  ///
  /// - Throws: ``PackagesError``
  func archive(
    _ revision: String?, to archive: String, in folder: String
  ) async throws(PackagesError) -> String {
    if let revision, revision.isEmpty || revision.hasPrefix("-") {
      throw .git(url, .noRevision(revision))
    }
    let deadline = ContinuousClock.now + .seconds(seconds)
    func git(_ words: String...) async throws(PackagesError) -> String {
      try await run(words, in: folder, until: deadline)
    }
    _ = try await git("init", "--quiet", "--bare", "--template=")
    let commit = try await fetch(revision, git)
    _ = try await git("archive", "--format=tar", "--output=\(archive)", commit)
    return commit
  }

  private func fetch(
    _ revision: String?,
    _ git: (String...) async throws(PackagesError) -> String
  ) async throws(PackagesError) -> String {
    do throws(PackagesError) {
      _ = try await git(
        "fetch", "--quiet", "--depth=1", "--no-tags", "--", url, revision ?? "HEAD")
      return try await git("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}")
    } catch {
      guard case .git(_, .failed) = error, let revision else { throw error }
      // A server may give out branches and tags only, and no commit by a part of its number.
      _ = try await git(
        "fetch", "--quiet", "--tags", "--", url, "+refs/heads/*:refs/heads/*")
      do throws(PackagesError) {
        return try await git("rev-parse", "--verify", "--quiet", "\(revision)^{commit}")
      } catch {
        throw .git(url, .noRevision(revision))
      }
    }
  }

  private var variables: [Environment.Key: String?] {
    [
      "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "",
      "SSH_ASKPASS_REQUIRE": "never",
      "GIT_SSH_COMMAND": environment["GIT_SSH_COMMAND"] ?? "ssh -o BatchMode=yes",
      "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
      // In place of those of a hook that runs this.
      "GIT_DIR": ".", "GIT_WORK_TREE": nil, "GIT_INDEX_FILE": nil, "GIT_OBJECT_DIRECTORY": nil,
      "GIT_COMMON_DIR": nil, "GIT_NAMESPACE": nil,
    ]
  }

  /// Runs git; returns its output without the newline at the end.
  private func run(
    _ words: [String], in folder: String, until deadline: ContinuousClock.Instant
  ) async throws(PackagesError) -> String {
    var options = PlatformOptions()
    // A process group that can be ended as a whole, and no terminal to ask on.
    options.createSession = true
    options.teardownSequence = [
      .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(1))
    ]
    let always = [
      "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
    ]
    let inherited = environment.compactMap { name, value in
      Environment.Key(rawValue: name).map { ($0, value) }
    }
    // The shell limits the files, in its units of 512 bytes, and becomes git.
    let shell = ["-c", "ulimit -f \(packByteCountMax / 512) && exec \"$@\"", "sh", program]
    let configuration = Configuration(
      executable: .path("/bin/sh"), arguments: Arguments(shell + always + words),
      environment: Environment.custom(Dictionary(inherited) { first, _ in first })
        .updating(variables),
      workingDirectory: FilePath(folder), platformOptions: options)
    let ending: Ending
    do {
      ending = try await Self.run(configuration, until: deadline)
    } catch {
      throw .git(url, Self.failure(error))
    }
    switch ending {
    case .timedOut: throw .git(url, .timedOut(seconds))
    case .ended(.exited(0), let output, _): return output.trimmed
    case .ended(.exited(Self.notFoundStatus), _, _): throw .git(url, .noProgram)
    case .ended(_, _, let errors): throw .git(url, .failed(errors.trimmed))
    }
  }

  private enum Ending: Sendable {
    case ended(TerminationStatus, output: String, errors: String)
    case timedOut
  }

  private static func run(
    _ configuration: Configuration, until deadline: ContinuousClock.Instant
  ) async throws -> Ending {
    try await withThrowingTaskGroup(of: Ending.self) { group in
      group.addTask {
        let result = try await Subprocess.run(
          configuration, input: .none, output: .string(limit: outputByteCountMax),
          error: .string(limit: outputByteCountMax))
        return .ended(
          result.terminationStatus, output: result.standardOutput, errors: result.standardError)
      }
      group.addTask {
        try await Task.sleep(until: deadline, clock: .continuous)
        return .timedOut
      }
      let first = try await group.next()
      // Ends the process and its children, if it still runs.
      group.cancelAll()
      return first ?? .timedOut
    }
  }

  private static func failure(_ error: any Error) -> GitFailure {
    guard let error = error as? SubprocessError else { return .failed("\(error)") }
    switch error.code {
    case .outputLimitExceeded: return .failed("it says too much")
    default: return .failed("\(error)")
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }
}

/// The reason that git hasn't brought what it was asked for.
package enum GitFailure: Error, Equatable {
  case noProgram
  case timedOut(Double)
  case noRevision(String)
  /// What git says.
  case failed(String)
}
