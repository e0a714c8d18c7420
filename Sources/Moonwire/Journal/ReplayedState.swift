package import MoonModules
import MoonSession
package import MoonValues

/// The state that the records of a journal lead to, checked against the whole states among them.
package struct ReplayedState: Sendable {
  /// The number of states that are kept, since a whole state may come after changes that it doesn't
  /// include.
  private static let countMax = 20_000

  /// The slices after the last record.
  package private(set) var slices = Map()
  /// The states after the latest records, by their numbers.
  private var states: [Int64: Map] = [:]
  private var lastNumber: Int64?

  /// Makes the state before the first record.
  package init() {}

  /// The state after the records that were taken.
  package var state: Value { .map(slices) }

  /// Takes the next record.
  ///
  /// - Throws: ``JournalError/Reason`` if it doesn't fit what came before.
  package mutating func take(
    _ number: Int64, _ entry: JournalEntry
  ) throws(JournalError.Reason) {
    switch entry {
    case .state(let entry):
      let state: SavedState
      do throws(RestoreError) {
        state = try SavedState(entry.state)
      } catch {
        throw .damaged("\(error)")
      }
      if lastNumber == nil {
        slices = state.slices
      } else if let known = states[entry.after], known != state.slices {
        throw .damaged("the changes before it lead to another state")
      }
    case .commit(let commit): try change(commit.edits)
    case .change(let edits): try change(edits)
    case .task: break
    }
    lastNumber = number
    states[number] = slices
    states[number - Int64(Self.countMax)] = nil
  }

  private mutating func change(_ edits: Value) throws(JournalError.Reason) {
    guard let changed = StateEdits(edits).applied(to: slices) else {
      throw .damaged("its changes don't fit the state")
    }
    slices = changed
  }
}
