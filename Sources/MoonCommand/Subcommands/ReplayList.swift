import ArgumentParser
import MoonJournal
import MoonPrompt
import MoonTerminal
import Moonwire

extension ReplaySubcommand {
  /// Returns the actions of a list that somebody has written; nil if the file is a recording.
  func list(_ inspection: Inspection) async throws -> ActionList? {
    do throws(JournalError) {
      guard let list = try ActionList(file) else { return nil }
      guard !tasks else {
        throw JournalError(file, .failed("a list of actions has no durable tasks"))
      }
      return list
    } catch {
      // A journal that can't be read is told as one.
      guard case .invalidAction = error.reason else { return nil }
      await inspection.host.close()
      throw inspection.refusal(error.report(for: .reading), error.code)
    }
  }

  /// Carries out a list of actions in a new session, and prints where that leads.
  func play(_ list: ActionList, _ inspection: Inspection) async throws {
    let played = await list.play(on: inspection.host)
    let state = await inspection.host.state(of: played.session) ?? .null
    let tree = await inspection.host.navigationTree(of: played.session)
    await inspection.host.close()
    let count = Wording.counted(played.count, "action")
    inspection.output.printResult(
      display.json
        ? [
          JSONRecord.line([
            "kind": "replay", "actions": .int(Int64(played.count)), "state": state,
          ])
        ] : ["\(count) carried out"] + (tree?.drawing ?? []))
    guard let failure = played.failure else { return }
    throw inspection.refusal(
      Report(
        "line \(failure.line): \(failure.type) failed: \(failure.error)", detail: file,
        rows: [.init("meanwhile", "the actions after it weren't carried out")]),
      ExitStatus.dataError)
  }
}
