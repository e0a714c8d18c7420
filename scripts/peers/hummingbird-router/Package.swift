// swift-tools-version: 6.2
import PackageDescription

// The router of a web framework in Swift, as a peer of `scripts/bench routes`. It is a separate
// package, so that Moonwire doesn't depend on its peer.
let package = Package(
  name: "RouteBench",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0")
  ],
  targets: [
    .executableTarget(
      name: "RouteBench",
      dependencies: [.product(name: "Hummingbird", package: "hummingbird")])
  ]
)
