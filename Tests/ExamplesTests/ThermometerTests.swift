import MoonTestKit
import Testing

@testable import EmbeddingExample

/// The test of a feature that the guide to embedding shows.
struct ThermometerTests {
  @Test func `what is measured later is measured when the time has come`() async throws {
    let store = try await TestStore(Thermometer())
    await store.send(Thermometer.Measure(celsius: 21)) { $0.celsius = 21 }
    await store.send(Thermometer.MeasureLater(celsius: 25))
    await store.advance(by: .seconds(1))
    await store.receive(Thermometer.Measure(celsius: 25)) { $0.celsius = 25 }
    await store.finish()
  }
}
