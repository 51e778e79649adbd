// swift-tools-version: 6.2
import PackageDescription

let core: Target.Dependency = .product(name: "ProbeCore", package: "ProbeKit")
let plugins: Target.Dependency = .product(name: "ProbeKit", package: "ProbeKit")

// Yardsticks in C, and the same work done by ProbeKit; `Benchmarks/run` measures them side by side. A
// separate package, so that users of ProbeKit do not build it.
let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "ProbeKit", path: "..")],
  targets: [
    .target(name: "CUsage"),
    .executableTarget(
      name: "curl-multi-loop", dependencies: ["CUsage"], linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(
      name: "raw-epoll", dependencies: ["CUsage"],
      linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .executableTarget(name: "raw-server"),
    .executableTarget(name: "accepting-plugin"),
    .executableTarget(name: "pipe-load", dependencies: ["CUsage"]),
    .executableTarget(name: "slow-server"),
    .target(name: "BenchSupport", dependencies: ["CUsage", core]),
    .executableTarget(name: "probe-bench", dependencies: ["BenchSupport", core, plugins]),
    .executableTarget(
      name: "pipeline-bench",
      dependencies: ["BenchSupport", .product(name: "ProbeKit", package: "ProbeKit"), core, plugins]),
    .executableTarget(
      name: "monitor-bench",
      dependencies: [
        "CUsage", .product(name: "ConnectivityMonitor", package: "ProbeKit"),
        .product(name: "ProbeKit", package: "ProbeKit"), core,
      ]),
    .executableTarget(
      name: "replay-bench",
      dependencies: ["CUsage", .product(name: "ProbeReplay", package: "ProbeKit"), core, plugins]),
    .systemLibrary(
      name: "CPCRE2Yardstick", pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
    .systemLibrary(
      name: "CGumboYardstick", pkgConfig: "gumbo",
      providers: [.apt(["libgumbo-dev"]), .brew(["gumbo-parser"])]),
    .target(name: "CYardsticks", dependencies: ["CGumboYardstick", "CPCRE2Yardstick"]),
    .target(name: "BenchComparisons", dependencies: ["CYardsticks"]),
    .executableTarget(
      name: "matching-bench", dependencies: ["BenchComparisons", "CYardsticks", core, plugins]),
    .executableTarget(
      name: "analysis-bench",
      dependencies: [
        "BenchComparisons", "CYardsticks", .product(name: "ProbeKit", package: "ProbeKit"), core,
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
