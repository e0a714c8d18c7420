import Foundation
import MoonPrompt
import MoonTerminal
import MoonTestSupport
import Testing

@testable import MoonAuthoring

/// Repositories, and a git that doesn't answer as it should.
@Suite(.ownThread) struct GitRepositoryTests {
  private static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"

  /// Asks a program in place of git for an archive; returns the commit, or the exit code
  /// and the report.
  private func fetch(
    _ url: String, _ revision: String?, program: String = "git", seconds: Double = 60,
    in folder: ScriptFolder
  ) async throws -> String {
    let work = folder.path(UUID().uuidString)
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    let repository = GitRepository(
      url: url, program: program, seconds: seconds, packByteCountMax: 1 << 20,
      environment: ["PATH": Self.path, "HOME": folder.root])
    do throws(PackagesError) {
      return try await repository.archive(revision, to: "\(work)/a.tar", in: work)
    } catch {
      return "\(error.code) \(error.report.text(.plain))"
    }
  }

  private func script(_ lines: String, in folder: ScriptFolder) throws -> String {
    try folder.save("git", "#!/bin/sh\n\(lines)\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path("git"))
    return folder.path("git")
  }

  @Test func `a branch, a tag, a commit and a part of its number are found`() async throws {
    let folder = try ScriptFolder(["repo/cart.lua": "return 1"])
    let made = try Program.shell(
      """
      cd \(folder.path("repo")) && export HOME=\(folder.root) && git init -q -b main . &&
      git add . && git -c user.name=x -c user.email=x@example.org commit -qm x &&
      git tag v1 && echo post > .git/hooks/post-checkout && git rev-parse HEAD
      """)
    let commit = try #require(made.lines.last)
    for revision in [nil, "v1", String(commit.prefix(10))] {
      let found = try await fetch("file://\(folder.path("repo"))", revision, in: folder)
      #expect(found == commit, "\(revision ?? "-")")
    }
    for revision in ["v2", "--upload-pack=x", ""] {
      let found = try await fetch("file://\(folder.path("repo"))", revision, in: folder)
      #expect(found.contains("there is no branch, tag or commit '\(revision)'"), "\(found)")
    }
  }

  @Test(arguments: ["ext::sh -c 'touch out'", "ext://x", "fd::7"])
  func `a transport that runs programs is refused`(url: String) async throws {
    let folder = try ScriptFolder()
    let found = try await fetch(url, nil, in: folder)
    #expect(found.contains("git can't fetch it") && found.contains("not allowed"), "\(found)")
    #expect(found.hasPrefix("\(ExitStatus.noInput) "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test func `a git that hangs is ended`() async throws {
    let folder = try ScriptFolder()
    let program = try script("tail -f /dev/null", in: folder)
    let found = try await fetch("https://a.org/x", nil, program: program, seconds: 0.1, in: folder)
    #expect(found.contains("hasn't ended within 100 ms"), "\(found)")
  }

  @Test func `git can't ask for a password, and the report says what to do`() async throws {
    let folder = try ScriptFolder()
    let program = try script(
      """
      [ "$1" = -c ] || exit 3
      if [ "$GIT_TERMINAL_PROMPT" = 0 ] && [ -z "$GIT_ASKPASS" ] && ! read answer; then
        echo "fatal: could not read Username: terminal prompts disabled" >&2
      fi
      exit 128
      """, in: folder)
    let found = try await fetch("https://a.org/x", nil, program: program, in: folder)
    #expect(found.contains("terminal prompts disabled"), "\(found)")
    #expect(found.contains("a credential helper"), "\(found)")
  }

  @Test func `a repository can't fill the disk`() async throws {
    let folder = try ScriptFolder()
    let program = try script("head -c 2M /dev/zero > pack && echo done >&2; exit 1", in: folder)
    let found = try await fetch("https://a.org/x", nil, program: program, in: folder)
    #expect(found.contains("git can't fetch it") && !found.contains("done"), "\(found)")
  }

  @Test func `without git, the report says how to get it`() async throws {
    let folder = try ScriptFolder()
    let found = try await fetch("https://a.org/x", nil, program: "no-git", in: folder)
    #expect(found.contains("git isn't installed"), "\(found)")
  }
}
