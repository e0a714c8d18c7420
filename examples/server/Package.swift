// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that who builds Moonwire doesn't need what only a server does.
// `scripts/bridges` builds and tests it.
let package = Package(
  name: "server",
  dependencies: [
    .package(name: "moonwire", path: "../..", traits: ["MoonLifecycle", "MoonTelemetry"]),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "Server",
      dependencies: [
        .product(name: "Moonwire", package: "moonwire"),
        .product(name: "MoonLifecycle", package: "moonwire"),
        .product(name: "MoonTelemetry", package: "moonwire"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Sources"),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Server",
        .product(name: "Moonwire", package: "moonwire"),
        .product(name: "MoonLifecycle", package: "moonwire"),
        .product(name: "MoonTelemetry", package: "moonwire"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      path: "Tests"),
  ]
)
