import MoonPrompt
import MoonTerminal
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonCommand

/// The messages of a run that can't start or end as it should are in plain words.
struct StartMessagesTests {
  private static let limit = ModuleName("counter").map {
    LimitSetting.waitReport(for: $0, nearest: "count")
  }

  static let reports: [(Report?, String)] = [
    (StateFileError.system(path: "/s", code: 28).report, "written to /s"),
    (ProcessSetupError.descriptors(left: 1, code: 24).report, "only 1 file more"),
    (ProcessSetupError.threads(left: 2, code: 11).report, "only 2 threads more"),
    (limit, "counter yet"),
  ]

  @Test(arguments: reports)
  func `what can't be had is said in plain words`(report: Report?, named: String) throws {
    let report = try #require(report)
    let text = report.text(.plain)
    #expect(report.headline.count > 8)
    #expect(text.contains(named), "\(named) in: \(text)")
    #expect(!CodeWords.are(in: text), "\(text)")
  }
}
