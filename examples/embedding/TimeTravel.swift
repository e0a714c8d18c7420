import Moonwire

/// Goes through the states of a session of its own.
func travelInTime() async throws {
  var options = HostOptions()
  options.timeline = Timeline.Limits()  // The last 1,000 actions, in at most 64 MB.
  let host = try await Host(nil, features: [Thermometer()], options: options)
  let session = try await host.session()

  try await session.dispatch([
    Thermometer.Measure(celsius: 3), Thermometer.Note(text: "The window is open."),
  ])
  let second = try await session.dispatch(Thermometer.Measure(celsius: 19)).id
  try await session.route("/thermometer/attic")

  // Meanwhile, the session takes no actions.
  try await session.travel(to: .back(2))
  print(try await session.state(Thermometer.State.self).celsius)
  try await session.travel(to: .present)  // Or .position(2), .action(second), .forward(1).

  try await session.carryOut(.toggle(second))
  print(try await session.state(Thermometer.State.self).celsius)
  for step in await session.timeline?.steps ?? [] { print(step) }

  // The last action was the routing.
  try await session.undo()
  print(await session.navigation?.screens.count ?? 0, await session.timeline?.count ?? 0)
  await host.close()
}
