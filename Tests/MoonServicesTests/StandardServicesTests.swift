import MoonServices
import Moonwire
import Testing

/// The services that the command offers, as a whole.
struct StandardServicesTests {
  @Test func `a host takes all of them, and each has a name of its own`() throws {
    var options = HostOptions()
    options.services = Service.standard
    let names = options.services.map(\.name)
    #expect(names.count == 12)
    #expect(names == Set(names).sorted())
    #expect(throws: Never.self) { _ = try Host(directory: nil, options: options) }
  }

  @Test func `a host refuses two of the same name`() {
    var options = HostOptions()
    options.services = Service.standard + [.json]
    #expect(throws: HostError.self) { _ = try Host(directory: nil, options: options) }
  }
}
