// swift-tools-version: 6.2
import PackageDescription

// Yardsticks in C, and the same work done by ProbeKit. `Benchmarks/run` runs them side by side.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ProbeKit", path: "..")],
  targets: [
    .executableTarget(name: "curl-multi-loop", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(name: "raw-epoll"),
    .executableTarget(
      name: "probe-bench",
      dependencies: [
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
