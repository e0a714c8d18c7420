// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is built with the same strict settings.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let strictC: [CSetting] = [.treatAllWarnings(as: .error)]

// Read top to bottom: a target may depend only on targets above it.
let package = Package(
  name: "moonwire",
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
  ],
  targets: [
    // Layer 0: C.
    .systemLibrary(name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
    .target(name: "CMoonLua", dependencies: ["CLua"], cSettings: strictC),

    // Layer 1: plain values, no I/O, no Lua.
    .target(name: "MoonValues", swiftSettings: strict),

    // Layer 2: siblings that do not know each other.
    .target(name: "MoonLua", dependencies: ["CMoonLua", "MoonValues"], swiftSettings: strict),
    .target(
      name: "MoonStore",
      dependencies: ["MoonValues", .product(name: "DequeModule", package: "swift-collections")],
      swiftSettings: strict),
    .target(name: "MoonFiles", swiftSettings: strict),

    // Layer 3: the only place where the siblings meet.
    .target(
      name: "Moonwire",
      dependencies: [
        "MoonFiles", "MoonLua", "MoonStore", "MoonValues",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("Bindings/moonwire.lua"), .embedInCode("Bindings/console.lua")],
      swiftSettings: strict),
  ]
)
