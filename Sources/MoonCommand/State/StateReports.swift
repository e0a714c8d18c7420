import MoonPrompt
import Moonwire

extension StateReader.UnreadableSlice {
  /// Returns the report on a slice that couldn't be restored.
  func report(in path: String, isReplaced: Bool) -> Report {
    Report(
      .warning, "the slice of \(slice) can't be read: it begins as without a state",
      at: SourcePlace(file: path, line: error.line),
      detail: "column \(error.column): \(error.reason)",
      rows: isReplaced
        ? [.init("meanwhile", "the file is kept as \(path).before when it is written again")] : [])
  }
}

extension StateText.Omission {
  /// The report on a slice that couldn't be written.
  var report: Report {
    Report(
      "the slice of \(slice) isn't written: its text would exceed \(Wording.size(byteCountMax))",
      rows: [
        .init("meanwhile", "all other slices are written"),
        .init("help", "does it hold the same large value many times?"),
      ])
  }
}
