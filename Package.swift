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

// A product that needs the packages of others is there with the trait of its name. Without it, they
// aren't fetched, and its target is empty.
let ifLifecycle: TargetDependencyCondition? = .when(traits: ["MoonLifecycle"])
let ifTelemetry: TargetDependencyCondition? = .when(traits: ["MoonTelemetry"])

// Read top to bottom: a target may depend only on targets above it.
let package = Package(
  name: "moonwire",
  products: [
    .library(name: "Moonwire", targets: ["Moonwire"]),
    .library(name: "MoonServices", targets: ["MoonServices"]),
    .library(name: "MoonJournal", targets: ["MoonJournal"]),
    .library(name: "MoonBuiltIns", targets: ["MoonBuiltIns"]),
    .library(name: "MoonTestKit", targets: ["MoonTestKit"]),
    .library(name: "MoonLifecycle", targets: ["MoonLifecycle"]),
    .library(name: "MoonTelemetry", targets: ["MoonTelemetry"]),
    .executable(name: "moonwire", targets: ["MoonCommand"]),
  ],
  traits: [
    .trait(name: "MoonLifecycle", description: "For swift-service-lifecycle"),
    .trait(
      name: "MoonTelemetry", description: "For swift-metrics and swift-distributed-tracing"),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    // Layer 0: C.
    .systemLibrary(name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
    .target(name: "CMoonLua", dependencies: ["CLua"], cSettings: strictC),
    .systemLibrary(name: "CEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .target(name: "CMoonEdit", dependencies: ["CEdit"], cSettings: strictC),
    .systemLibrary(name: "CCurses", providers: [.apt(["libncurses-dev"])]),
    .target(
      name: "CMoonCurses", dependencies: ["CCurses", "CMoonEdit"], cSettings: strictC,
      linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "CMoonCurl", dependencies: ["CCurl"], cSettings: strictC),
    .target(
      name: "CMoonSQLite", dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift")],
      cSettings: strictC),
    .target(name: "CMoonArchive", cSettings: strictC),
    .target(name: "CMoonGuides", cSettings: strictC),
    .target(
      name: "CMoonTemplates",
      exclude: ["minimal", "module", "screen", "service", "shared", "tabs"], cSettings: strictC),
    .systemLibrary(name: "CWslay", providers: [.apt(["libwslay-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    // Layer 1: plain values, no I/O, no Lua.
    .target(name: "MoonValues", swiftSettings: strict),

    // Layer 2: siblings that do not know each other.
    .target(
      name: "MoonLua",
      dependencies: [
        "CMoonLua", "MoonValues",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: strict),
    .target(name: "MoonActions", dependencies: ["MoonValues"], swiftSettings: strict),
    .target(name: "MoonFiles", dependencies: ["CCrypto"], swiftSettings: strict),
    .target(name: "MoonTerminal", dependencies: ["CMoonEdit"], swiftSettings: strict),
    .target(name: "MoonRouting", dependencies: ["MoonValues"], swiftSettings: strict),
    .target(name: "MoonNavigation", dependencies: ["MoonValues"], swiftSettings: strict),
    .target(name: "MoonCards", dependencies: ["MoonValues"], swiftSettings: strict),

    // Layer 3: modules and sessions, without Lua and files.
    .target(
      name: "MoonServiceKit",
      dependencies: [
        "MoonActions", "MoonValues",
        .product(name: "DequeModule", package: "swift-collections"),
      ], swiftSettings: strict),
    .target(
      name: "MoonModules",
      dependencies: [
        "MoonActions", "MoonNavigation", "MoonRouting", "MoonServiceKit", "MoonValues",
        .product(name: "DequeModule", package: "swift-collections"),
      ], swiftSettings: strict),
    .target(
      name: "MoonFeatures",
      dependencies: [
        "MoonActions", "MoonModules", "MoonNavigation", "MoonRouting", "MoonServiceKit",
        "MoonValues",
      ], swiftSettings: strict),
    .target(
      name: "MoonTasks",
      dependencies: [
        "MoonActions", "MoonModules", "MoonServiceKit", "MoonValues",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ], swiftSettings: strict),
    .target(
      name: "MoonSession",
      dependencies: [
        "MoonActions", "MoonCards", "MoonModules", "MoonNavigation", "MoonRouting",
        "MoonServiceKit", "MoonTasks", "MoonValues",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: strict),

    // Layer 4: the host, where sessions, Lua and files meet.
    .target(
      name: "MoonScripts",
      dependencies: [
        "MoonActions", "MoonCards", "MoonFiles", "MoonLua", "MoonModules", "MoonNavigation",
        "MoonRouting", "MoonServiceKit", "MoonSession", "MoonTasks", "MoonValues",
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [
        .embedInCode("Bindings/moonwire.lua"), .embedInCode("Bindings/navigation.lua"),
        .embedInCode("Bindings/ui.lua"), .embedInCode("Bindings/console.lua"),
        .embedInCode("Bindings/tasks.lua"), .embedInCode("Bindings/services.lua"),
        .embedInCode("Bindings/elements.lua"), .embedInCode("Bindings/api.lua"),
        .embedInCode("Bindings/forms.lua"), .embedInCode("Bindings/charts.lua"),
        .embedInCode("Bindings/expressions.lua"), .embedInCode("Bindings/templates.lua"),
        .embedInCode("Bindings/operations.lua"),
      ], swiftSettings: strict),
    .target(
      name: "Moonwire",
      dependencies: [
        "MoonActions", "MoonCards", "MoonFeatures", "MoonFiles", "MoonLua", "MoonModules",
        "MoonNavigation", "MoonRouting", "MoonScripts", "MoonServiceKit", "MoonSession",
        "MoonTasks", "MoonValues",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Layer 5: what modules reach of the world.
    .target(
      name: "MoonServices",
      dependencies: [
        "CCrypto", "CCurl", "CMoonCurl", "CMoonSQLite", "CWslay", "MoonFiles", "MoonLua",
        "Moonwire",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      resources: [
        .embedInCode("Entities/entities.lua"), .embedInCode("Entities/kinds.lua"),
        .embedInCode("Entities/stores.lua"), .embedInCode("Storage/storage.lua"),
      ],
      swiftSettings: strict),

    .target(
      name: "MoonJournal",
      dependencies: [
        "CMoonSQLite", "Moonwire",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict),

    // Layer 5: ready-made modules.
    .target(
      name: "MoonBuiltIns", dependencies: ["MoonJournal", "Moonwire"], swiftSettings: strict),

    // Layer 6: what people see of an app, and the tests that they write for modules.
    .target(
      name: "MoonPrompt",
      dependencies: [
        "MoonBuiltIns", "MoonJournal", "MoonServices", "MoonTerminal", "Moonwire",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "MoonTesting",
      dependencies: [
        "MoonJournal", "MoonLua", "MoonPrompt", "MoonServices", "MoonTerminal", "Moonwire",
      ],
      resources: [.embedInCode("testing.lua"), .embedInCode("values.lua")],
      swiftSettings: strict),
    .target(
      name: "MoonAuthoring",
      dependencies: [
        "CMoonArchive", "CMoonTemplates", "MoonPrompt", "MoonServices", "MoonTerminal",
        "MoonTesting", "Moonwire",
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),

    // Layer 5: what the tests of features in Swift use.
    .target(
      name: "MoonTestKit", dependencies: ["Moonwire"], swiftSettings: strict),

    // Layer 5: a host in a server, for programs that ask for it with a trait.
    .target(
      name: "MoonLifecycle",
      dependencies: [
        .byName(name: "Moonwire", condition: ifLifecycle),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: ifLifecycle),
      ],
      swiftSettings: strict),
    .target(
      name: "MoonTelemetry",
      dependencies: [
        .byName(name: "Moonwire", condition: ifTelemetry),
        .product(name: "Metrics", package: "swift-metrics", condition: ifTelemetry),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: ifTelemetry),
      ],
      swiftSettings: strict),

    // Layer 6: how other programs use a host.
    .target(
      name: "MoonProtocol",
      dependencies: [
        "MoonAuthoring", "MoonPrompt", "MoonServices", "MoonTerminal", "MoonTesting", "Moonwire",
      ],
      swiftSettings: strict),

    .target(
      name: "MoonLink", dependencies: ["MoonFiles", "MoonProtocol", "MoonServices", "Moonwire"],
      swiftSettings: strict),

    .target(
      name: "MoonStage",
      dependencies: [
        "CMoonCurses", "MoonFiles", "MoonLink", "MoonPrompt", "MoonProtocol", "MoonTerminal",
        "Moonwire",
      ],
      swiftSettings: strict),

    // Layer 7: the command.
    .executableTarget(
      name: "MoonCommand",
      dependencies: [
        "CMoonGuides", "MoonAuthoring", "MoonBuiltIns", "MoonFiles", "MoonJournal", "MoonLink",
        "MoonPrompt", "MoonProtocol", "MoonServices", "MoonStage", "MoonTerminal", "MoonTesting",
        "Moonwire",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Programs that measure the product.
    .executableTarget(
      name: "MoonBench",
      dependencies: [
        "MoonJournal", "MoonLink", "MoonPrompt", "MoonProtocol", "MoonRouting", "MoonServices",
        "MoonValues", "Moonwire",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Sources/Measuring/MoonBench", swiftSettings: strict),
    .executableTarget(
      name: "MoonSoak",
      dependencies: [
        "MoonServices", "Moonwire", .product(name: "Logging", package: "swift-log"),
      ],
      path: "Sources/Measuring/MoonSoak", swiftSettings: strict),

    // An example, so that what it shows is compiled.
    .executableTarget(
      name: "EmbeddingExample", dependencies: ["Moonwire"], path: "examples/embedding",
      exclude: ["expected.txt", "scripts"], packageAccess: false,
      swiftSettings: strict),

    .executableTarget(
      name: "VisperExample", dependencies: ["Moonwire"], path: "examples/visper-swift",
      exclude: ["expected.txt"], packageAccess: false,
      swiftSettings: strict),

    .executableTarget(
      name: "TodoExample", dependencies: ["Moonwire"], path: "examples/todo-swift",
      exclude: ["expected.txt", "scripts"], packageAccess: false,
      swiftSettings: strict),

    // What tests of several targets make use of.
    .target(
      name: "MoonTestSupport", path: "Tests/MoonTestSupport", swiftSettings: strict),
    .systemLibrary(
      name: "CSSL", path: "Tests/CSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "MoonTestServer", dependencies: ["CSSL", "MoonTestSupport"],
      path: "Tests/MoonTestServer", swiftSettings: strict),
    .target(
      name: "CFaultyDisk", dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift")],
      path: "Tests/CFaultyDisk", cSettings: strictC),

    .testTarget(
      name: "MoonValuesTests", dependencies: ["MoonTestSupport", "MoonValues"],
      swiftSettings: strict),
    .testTarget(
      name: "MoonLuaTests", dependencies: ["CLua", "MoonLua", "MoonTestSupport", "MoonValues"],
      swiftSettings: strict),
    .testTarget(
      name: "MoonFilesTests", dependencies: ["MoonFiles", "MoonTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "MoonTerminalTests", dependencies: ["MoonTerminal", "MoonTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "MoonRoutingTests", dependencies: ["MoonRouting", "MoonTestSupport", "MoonValues"],
      swiftSettings: strict),
    .testTarget(
      name: "MoonNavigationTests",
      dependencies: ["MoonNavigation", "MoonTestSupport", "MoonValues"],
      swiftSettings: strict),
    .testTarget(
      name: "MoonCardsTests",
      dependencies: ["MoonCards", "MoonTerminal", "MoonTestSupport", "MoonValues"],
      swiftSettings: strict),
    .testTarget(
      name: "HostileTests",
      dependencies: [
        "MoonServices", "MoonTestServer", "MoonTestSupport", "Moonwire",
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["scripts"], swiftSettings: strict),
    .testTarget(
      name: "MoonServicesTests",
      dependencies: [
        "MoonFiles", "MoonServiceKit", "MoonServices", "MoonTestServer", "MoonTestSupport",
        "Moonwire",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MoonJournalTests",
      dependencies: [
        "CFaultyDisk", "MoonJournal", "MoonTestSupport", "MoonValues", "Moonwire",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MoonBuiltInsTests",
      dependencies: [
        "MoonBuiltIns", "MoonJournal", "MoonTestSupport", "Moonwire",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(name: "TidyTests", swiftSettings: strict),

    .testTarget(
      name: "MoonPromptTests",
      dependencies: [
        "MoonPrompt", "MoonSession", "MoonTerminal", "MoonTestSupport", "Moonwire",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MoonProtocolTests",
      dependencies: [
        "MoonPrompt", "MoonProtocol", "MoonServices", "MoonTesting", "MoonTestSupport", "Moonwire",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MoonLinkTests",
      dependencies: ["MoonLink", "MoonPrompt", "MoonProtocol", "MoonTestSupport", "Moonwire"],
      swiftSettings: strict),
    .testTarget(
      name: "MoonStageTests",
      dependencies: ["MoonStage", "Moonwire", "MoonTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "MoonTestKitTests", dependencies: ["MoonTestKit", "MoonTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "MoonTestingTests",
      dependencies: [
        "MoonCommand", "MoonLua", "MoonTerminal", "MoonTesting", "MoonTestSupport", "Moonwire",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MoonAuthoringTests",
      dependencies: [
        "MoonAuthoring", "MoonCommand", "MoonPrompt", "MoonServices", "MoonTerminal", "MoonTesting",
        "MoonTestSupport", "Moonwire",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MoonCommandTests",
      dependencies: [
        "MoonCommand", "MoonPrompt", "MoonServices", "MoonTerminal", "MoonTestSupport", "Moonwire",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "EmbeddingExample", "MoonCommand", "MoonTestKit", "MoonTestServer", "MoonTestSupport",
        "TodoExample", "VisperExample",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MoonActionsTests", dependencies: ["MoonActions", "MoonTestSupport", "MoonValues"],
      swiftSettings: strict),
    .testTarget(
      name: "MoonServiceKitTests",
      dependencies: ["MoonActions", "MoonServiceKit", "MoonTestSupport", "MoonValues"],
      swiftSettings: strict),
    .testTarget(
      name: "MoonModulesTests",
      dependencies: [
        "MoonActions", "MoonModules", "MoonRouting", "MoonServiceKit", "MoonTestSupport",
        "MoonValues",
      ], swiftSettings: strict),
    .testTarget(
      name: "MoonFeaturesTests",
      dependencies: [
        "MoonActions", "MoonFeatures", "MoonTestSupport", "MoonValues", "Moonwire",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MoonSessionTests",
      dependencies: [
        "MoonActions", "MoonModules", "MoonServiceKit", "MoonSession", "MoonTestSupport",
        "MoonValues",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MoonwireTests",
      dependencies: [
        "MoonCards", "MoonFiles", "MoonLua", "MoonScripts", "MoonServiceKit", "MoonSession",
        "MoonTestSupport", "Moonwire",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
  ]
)

// `scripts/test quick` builds the tests of some targets only.
if let names = Context.environment["MOON_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
