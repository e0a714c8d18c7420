import MoonServices
import Moonwire
import Testing

/// The services that the command offers, as a whole.
struct StandardServicesTests {
  @Test func `a host takes all of them`() throws {
    var options = HostOptions()
    options.services = Service.standard
    _ = try Host(directory: nil, options: options)
  }
}
