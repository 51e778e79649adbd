// swift-tools-version: 6.2
import PackageDescription

/// A target about responses up to the reports on them.
func networkTarget(_ name: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      "FuzzNetwork", "FuzzSupport", .product(name: "ProbeCommand", package: "ProbeKit"),
      .product(name: "ProbeCore", package: "ProbeKit"), .product(name: "ProbeKit", package: "ProbeKit"),
    ])
}

/// A target about the analysis of responses.
func portalTarget(_ name: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      "FuzzSupport", .product(name: "ProbeKit", package: "ProbeKit"),
      .product(name: "ProbeCore", package: "ProbeKit"),
    ])
}

// Each executable is a program of libFuzzer's: it has no main of its own.
let package = Package(
  name: "FuzzTesting",
  dependencies: [.package(name: "ProbeKit", path: "..")],
  targets: [
    .target(name: "FuzzSupport", dependencies: [.product(name: "ProbeCore", package: "ProbeKit")]),
    .target(
      name: "FuzzNetwork",
      dependencies: [
        "FuzzSupport", .product(name: "ProbeCommand", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"), .product(name: "ProbeKit", package: "ProbeKit"),
      ]),
    networkTarget("fuzz-blackbox"),
    networkTarget("fuzz-capport"),
    .executableTarget(
      name: "fuzz-client",
      dependencies: [
        "FuzzSupport", .product(name: "ProbeKit", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "fuzz-content",
      dependencies: ["FuzzSupport", .product(name: "ProbeKit", package: "ProbeKit")]),
    .executableTarget(
      name: "fuzz-dns",
      dependencies: [
        "FuzzSupport", .product(name: "ProbeKit", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "fuzz-fixture",
      dependencies: [
        .product(name: "ProbeReplay", package: "ProbeKit"),
        .product(name: "ProbeKit", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "fuzz-form",
      dependencies: ["FuzzSupport", .product(name: "ProbeReplay", package: "ProbeKit")]),
    .executableTarget(
      name: "fuzz-import",
      dependencies: [
        "FuzzSupport", .product(name: "ProbeReplay", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "fuzz-json",
      dependencies: [
        "FuzzSupport", .product(name: "ProbeKit", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "fuzz-leases",
      dependencies: [
        "FuzzSupport", .product(name: "ProbeCommand", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "fuzz-netlink",
      dependencies: [
        "FuzzSupport", .product(name: "ConnectivityMonitor", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    networkTarget("fuzz-network"),
    portalTarget("fuzz-page"),
    .executableTarget(
      name: "fuzz-pipeline",
      dependencies: [
        .product(name: "ProbeKit", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "fuzz-programs",
      dependencies: [
        "FuzzSupport", .product(name: "ProbeCommand", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "fuzz-redaction",
      dependencies: [
        .product(name: "ProbeReplay", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "fuzz-request", dependencies: [.product(name: "ProbeReplay", package: "ProbeKit")]),
    .executableTarget(
      name: "fuzz-response",
      dependencies: [
        .product(name: "ProbeReplay", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "fuzz-scan",
      dependencies: [
        "FuzzSupport", .product(name: "ProbeCommand", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    portalTarget("fuzz-script"),
    .executableTarget(
      name: "fuzz-secrets",
      dependencies: ["FuzzSupport", .product(name: "ProbeCore", package: "ProbeKit")]),
    .executableTarget(
      name: "fuzz-service", dependencies: [.product(name: "ProbeCommand", package: "ProbeKit")]),
    .executableTarget(
      name: "fuzz-url",
      dependencies: ["FuzzSupport", .product(name: "ProbeCore", package: "ProbeKit")]),
    portalTarget("fuzz-wispr"),
    .executableTarget(
      name: "fuzz-world", dependencies: [.product(name: "ProbeReplay", package: "ProbeKit")]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
