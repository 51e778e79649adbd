// swift-tools-version: 6.2
import PackageDescription

// In a package of your own, name a version instead of the path:
// .package(url: "https://…/ProbeKit", from: "…")
let package = Package(
  name: "CustomValidator",
  products: [.executable(name: "health-probe", targets: ["HealthProbe"])],
  dependencies: [.package(name: "ProbeKit", path: "../..")],
  targets: [
    .executableTarget(
      name: "HealthProbe",
      dependencies: [
        .product(name: "ProbeKit", package: "ProbeKit"),
        .product(name: "ProbeCommand", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    .testTarget(
      name: "HealthProbeTests",
      dependencies: [
        "HealthProbe",
        .product(name: "ProbeReplay", package: "ProbeKit"),
        .product(name: "ProbeKit", package: "ProbeKit"),
        .product(name: "ProbeTesting", package: "ProbeKit"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
