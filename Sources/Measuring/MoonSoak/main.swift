// Reloads modules thousands of times under a storm of dispatches, and checks that no action is lost
// and nothing leaks; `scripts/soak` builds and runs it.
//
//   MoonSoak [--reloads 10000] [--seconds 1200] [--seed 1] [--chapter NAME]
//
// The seed determines the edits and actions; the machine determines which of them coincide.
import Dispatch
import Glibc
import Moonwire

func flush() { fflush(nil) }

/// Prints the violated checks and exits.
func finish(with verdicts: Verdicts, more: String? = nil) -> Never {
  let sentences = verdicts.sentences + (more.map { [$0] } ?? [])
  for sentence in sentences { print("VIOLATED: \(sentence)") }
  print(sentences.isEmpty ? "all checks hold" : "\(sentences.count) checks violated")
  exit(sentences.isEmpty ? 0 : 1)
}

func settings(_ arguments: [String]) -> Soak.Settings? {
  var settings = Soak.Settings()
  var rest = arguments[...]
  while let name = rest.popFirst() {
    guard let text = rest.popFirst() else { return nil }
    switch name {
    case "--reloads":
      guard let number = Int(text), number > 0 else { return nil }
      settings.reloads = number
    case "--seconds":
      guard let number = Double(text), number > 0 else { return nil }
      settings.seconds = number
    case "--seed":
      guard let number = UInt64(text) else { return nil }
      settings.seed = number
    case "--chapter":
      guard Soak.chapters.contains(where: { $0.name == text }) else { return nil }
      settings.chapter = text
    default: return nil
    }
  }
  return settings
}

guard let chosen = settings(Array(CommandLine.arguments.dropFirst())) else {
  print("usage: MoonSoak [--reloads 10000] [--seconds 1200] [--seed 1] [--chapter NAME]")
  print("chapters: \(Soak.chapters.map { $0.name }.joined(separator: " "))")
  exit(64)
}
let verdicts = Verdicts()
Task.detached {
  do {
    guard let folder = Folder() else {
      print("soak: no folder can be made in the temporary folder")
      exit(73)
    }
    try await Soak(chosen, folder: folder, verdicts: verdicts).run()
  } catch {
    verdicts.violate("run", "The run ended early: \(error).")
  }
  finish(with: verdicts)
}
dispatchMain()
