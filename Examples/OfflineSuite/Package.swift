// swift-tools-version: 6.2
import PackageDescription

// In a package of your own, name a version instead of the path:
// .package(url: "https://…/ProbeKit", from: "…")
let package = Package(
  name: "OfflineSuite",
  dependencies: [.package(name: "ProbeKit", path: "../..")],
  targets: [
    .testTarget(
      name: "OfflineSuiteTests",
      dependencies: [
        .product(name: "ProbeKit", package: "ProbeKit"),
        .product(name: "ProbeReplay", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
