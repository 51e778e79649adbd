// swift-tools-version: 6.2
import PackageDescription

// Yardsticks in C, and the same work done by ProbeKit; `Benchmarks/run` runs them side by side. A package of its own,
// so that nobody who uses ProbeKit builds them.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ProbeKit", path: "..")],
  targets: [
    .systemLibrary(
      name: "CPCRE2Yardstick", pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
    .target(name: "CYardsticks", dependencies: ["CPCRE2Yardstick"]),
    .executableTarget(name: "curl-multi-loop", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(name: "raw-epoll"),
    .executableTarget(
      name: "probe-bench",
      dependencies: [
        .product(name: "ProbeCore", package: "ProbeKit"),
        .product(name: "BundledPlugins", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "matching-bench",
      dependencies: [
        "CYardsticks",
        .product(name: "ProbeCore", package: "ProbeKit"),
        .product(name: "BundledPlugins", package: "ProbeKit"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name.hasSuffix("-bench") {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
