import Foundation
import MoonTestSupport
import Testing

@testable import MoonCommand
@testable import MoonPrompt

/// Extreme values for each option of the command line, each environment variable and each prompt
/// command.
///
/// The program refuses them or continues. It never ends by a trap.
@Suite(.ownThread) struct ExtremesFuzzTests {
  /// Numbers at the limits of types, and texts with a special meaning somewhere.
  static let extremes: [String] = texts + numbers + lengths

  private static let texts: [String] = [
    "", " ", "-", "--", "..", "/", "//", "/dev/null", "~", "=", "a=b", "a:b=1", "[", "{", "\"", "'",
    "\\", "%", "%00", "%zz", "*", "(", "((((", ":", "::", "a/b", "a//b", "app://", "\u{9B}31m",
    "\u{7F}", "\u{202E}x", "\u{FEFF}", "e\u{301}", "👩‍👩‍👧", "\t", "null", "true", "{\"a\":1}", "[1]",
  ]

  private static let numbers: [String] = [
    "0", "-0", "1", "-1", "1.5", "1e400", "-1e400", "nan", "inf", "0x7fffffffffffffff", "٣", "127",
    "-128", "2147483647", "-2147483648", "9223372036854775806", "9223372036854775807",
    "9223372036854775808", "-9223372036854775807", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616",
  ]

  private static let lengths: [String] = [
    String(repeating: "9", count: 400), String(repeating: "a", count: 60_000),
  ]

  /// Returns a value: an extreme, two of them, or one in the form of a limit.
  private static func value(_ random: inout SplitMix64) -> String {
    let one = random.pick(extremes)
    switch random.below(6) {
    case 0: return one + random.pick(extremes)
    case 1:
      let what = random.pick(LimitSetting.Kind.allCases)
      let unit = random.pick(what.units).name
      return random.pick(["", "counter:"]) + "\(what.rawValue)=\(random.pick(extremes))\(unit)"
    default: return one
    }
  }

  // MARK: The prompt

  /// Returns the text before an argument, for each command.
  private static func line(_ random: inout SplitMix64) -> String {
    let manual = random.pick(PromptCommands.manuals)
    let example = manual.example.map { $0.split(separator: " ").map(String.init) } ?? []
    switch random.below(5) {
    case 0: return "counter/add by=\(value(&random))"
    case 1: return ":\(manual.name)"
    // The words of the command's example, with one of them replaced.
    case 2 where example.count > 1:
      var words = example
      words[1 + random.below(words.count - 1)] = value(&random)
      return words.joined(separator: " ")
    case 3:
      return ":\(manual.name) "
        + random.pick(["a[\(value(&random))]", "\(value(&random))=\(value(&random))"])
    default: return ":\(manual.name) \(value(&random))"
    }
  }

  @Test func `no line that is typed ends the program`() throws {
    let folder = try ScriptFolder([
      "counter.lua": ScriptFolder.counter, "shop.lua": ScreenPromptTests.shop,
    ])
    let failure = Fuzzing("prompt-extremes", cases: 6).firstFailure(
      make: { random in
        let lines = (0..<60).map { _ in Self.line(&random).replacing("\n", with: " ") }
        // Commands that quit are left out, since they would skip the rest.
        let kept = lines.filter { !$0.hasPrefix(":quit") }
        return Array(([":open /list"] + kept).joined(separator: "\n").utf8)
      },
      check: { bytes, random in
        let input = String(decoding: bytes, as: UTF8.self) + "\n= 'alive'\n"
        let json = random.once(in: 2) ? ["--json"] : []
        guard
          let run = try? Program.run(
            ["run", folder.root, "--keep-going"] + json, input: input,
            environment: ["COLUMNS": Self.value(&random)])
        else { return "doesn't start" }
        guard [0, 65].contains(run.code) else {
          return "code \(run.code): \(run.errors.suffix(400))"
        }
        return run.output.contains("alive") ? nil : "ends early"
      })
    #expect(failure == nil, "\(failure ?? "")")
  }

  // MARK: The command line

  /// A subcommand with its options, as the parser describes them.
  struct Subcommand {
    let words: [String]
    let options: [(name: String, takesValue: Bool)]
    let positionalCount: Int
  }

  static func subcommands() throws -> [Subcommand] {
    let dump = try Program.run(["--experimental-dump-help"])
    let root = try JSONSerialization.jsonObject(with: Data(dump.output.utf8)) as? [String: Any]
    return subcommands(root?["command"] as? [String: Any] ?? [:], below: [])
  }

  private static func subcommands(_ command: [String: Any], below words: [String]) -> [Subcommand] {
    let arguments = command["arguments"] as? [[String: Any]] ?? []
    let options = arguments.compactMap { argument -> (name: String, takesValue: Bool)? in
      let names = argument["names"] as? [[String: Any]] ?? []
      guard let name = names.last?["name"] as? String else { return nil }
      return (name.count == 1 ? "-\(name)" : "--\(name)", argument["kind"] as? String == "option")
    }
    let own = Subcommand(
      words: words, options: options,
      positionalCount: arguments.count { $0["kind"] as? String == "positional" })
    let below = command["subcommands"] as? [[String: Any]] ?? []
    return [own]
      + below.flatMap { child in
        subcommands(child, below: words + [child["commandName"] as? String ?? ""])
      }
  }

  /// The environment variables that the program reads.
  private static let variables = [
    "COLUMNS", "LINES", "TERM", "LANG", "HOME", "XDG_STATE_HOME", "MOONWIRE_HISTORY", "NO_COLOR",
    "FORCE_COLOR", "EDITRC", "TZ",
  ]

  @Test func `every option takes extremes, or refuses them`() throws {
    let subcommands = try Self.subcommands()
    #expect(subcommands.count >= 6)
    #expect(subcommands.contains { $0.options.contains { $0.name == "--limit" && $0.takesValue } })
    let scripts = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    var words: [String] = []
    var variables: [String: String] = [:]
    let failure = Fuzzing("command-lines", cases: 40).firstFailure(
      make: { random in
        let subcommand = random.pick(subcommands)
        words = subcommand.words
        for _ in 0..<subcommand.positionalCount {
          // Any existing directory would be read.
          let word = random.once(in: 3) ? Self.value(&random) : scripts.root
          words.append(["/", "."].contains(word.prefix(1)) ? scripts.root : word)
        }
        for _ in 0..<random.below(4) where !subcommand.options.isEmpty {
          let option = random.pick(subcommand.options)
          words.append(option.name)
          if option.takesValue { words.append(Self.value(&random)) }
        }
        words = words.map { $0.replacing("\0", with: "") }
        variables = [:]
        for _ in 0..<random.below(3) {
          variables[random.pick(Self.variables)] = Self.value(&random)
        }
        return Array((words + variables.map { "\($0)=\($1)" }).joined(separator: "\n").utf8)
      },
      check: { _, random in
        // Named files are in a temporary folder.
        guard let folder = try? TemporaryFolder(),
          let run = try? Program.run(
            words, input: "counter/add\n:state\n", environment: variables,
            directory: folder.path)
        else { return "doesn't start" }
        let codes: [Int32] = [0, 1, 64, 65, 66, 69, 70, 73, 74]
        guard codes.contains(run.code) else { return "code \(run.code): \(run.errors.suffix(400))" }
        let texts = run.output + run.errors
        let isSafe = texts.unicodeScalars.allSatisfy { scalar in
          scalar == "\n" || scalar == "\t" || scalar == "\u{1B}"
            || scalar.properties.generalCategory != .control && scalar != "\u{202E}"
        }
        return isSafe ? nil : "controls in \(texts.debugDescription)"
      })
    #expect(failure == nil, "\(failure ?? "")")
  }
}
